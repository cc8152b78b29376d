/** Where there is no sandbox, a run needs a word; where one is asked for and does not work, it does not start. */
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { planOf, recordsOf } from '../loop/scene.ts';
import { makeRepo, type Repo } from '../support/repo.ts';

const AGENT = `#!/bin/sh
cat > /dev/null
echo x > "$RALPH_ITEM.txt"
echo "RALPH_TASK_COMPLETE: $RALPH_ITEM"
`;

const sceneOf = (config: object = {}): Repo => {
  const repo = makeRepo({ plan: planOf('US-1'), config: { agent: { command: ['../outside/agent'] }, ...config } });
  writeFileSync(join(repo.outside, 'agent'), AGENT, { mode: 0o755 });
  return repo;
};

/** A PATH with what a run needs, and with these programs. */
function pathOf(repo: Repo, programs: Readonly<Record<string, string>> = {}): string {
  const bin = join(repo.outside, 'bin');
  mkdirSync(bin);
  const found = (name: string) =>
    (process.env.PATH ?? '')
      .split(':')
      .map(folder => join(folder, name))
      .find(existsSync) ?? '/bin/true';
  for (const name of ['git', 'sh', 'cat', 'sync', 'mkfifo']) symlinkSync(found(name), join(bin, name));
  for (const [name, text] of Object.entries(programs)) writeFileSync(join(bin, name), text, { mode: 0o755 });
  return bin;
}

const refusing = (words: string) => `#!/bin/sh\necho "${words}" >&2\nexit 1\n`;

describe.concurrent('without a sandbox', () => {
  it('a run is refused with the way out, nothing is charged, and one word is enough for all of the run', async () => {
    const repo = sceneOf();
    const env = { PATH: pathOf(repo), RALPH_SANDBOX: '' };
    const end = await repo.ralph(['run'], { env });
    expect(end.code).toBe(4);
    expect(end.stderr).toContain('bwrap (bubblewrap) was not found');
    expect(end.stderr).toContain('apt install bubblewrap');
    expect(end.stderr).toContain('ralph run --no-sandbox');
    expect(repo.runs()).toEqual([]);
    const doctor = await repo.ralph(['doctor'], { env });
    expect([doctor.code, doctor.stdout.includes('bubblewrap')]).toEqual([4, true]);
    // Its output is words: no limit of cost can hold it.
    expect(doctor.stdout).toContain('reports neither cost nor tokens');

    // An agent that nobody knows is not the scripted one.
    repo.write('ralph.json', JSON.stringify({ agent: 'cluade' }));
    expect((await repo.ralph(['doctor'], { env })).stdout).toMatch(/✗ sandbox\s+there is no sandbox here/);
    repo.git('checkout', '-q', 'ralph.json');

    repo.write('prd.json', JSON.stringify(planOf('US-1', 'US-2')));
    repo.git('commit', '-qam', 'Two');
    const once = await repo.ralph(['run', '--no-sandbox', '--once'], { env });
    expect(once.stdout).toContain('no sandbox');
    const rest = await repo.ralph(['run'], { env });
    expect(rest.code).toBe(0);
    expect(recordsOf(repo, 'run.started')[0]?.sandbox).toBe('none');
    expect(repo.git('log', '-1', '--format=%B', 'ralph/shop')).toContain('Ralph-Sandbox: none');
  });

  it.each([
    ['auto', 'bwrap', 'No permissions to create new namespace', 'amespaces'],
    [
      { tier: 'docker', image: 'img' },
      'docker',
      'Cannot connect to the Docker daemon. Is it running?',
      'systemctl start docker',
    ],
    [{ tier: 'docker', image: 'img' }, 'docker', 'Error: No such image: img', 'pull img'],
  ])('%j that does not work is refused in its own words', async (sandbox, program, words, fix) => {
    const repo = sceneOf({ sandbox });
    const env = { PATH: pathOf(repo, { [program]: refusing(words) }), RALPH_SANDBOX: '' };
    const end = await repo.ralph(['run'], { env });
    expect(end.code).toBe(4);
    expect(end.stderr).toContain(words);
    expect(end.stderr).toContain(fix);
    expect(repo.runs()).toEqual([]);
  });

  it('podman is used where docker is a client without its engine', async () => {
    const repo = sceneOf({ sandbox: { tier: 'docker', image: 'img' }, gates: ['true'] });
    const podman = '#!/bin/sh\n[ "$1" = run ] || exit 0\nwhile [ "$1" != img ]; do shift; done; shift; exec "$@"\n';
    const bin = pathOf(repo, { docker: refusing('Cannot connect to the Docker daemon'), podman });
    const end = await repo.ralph(['run'], { env: { PATH: `${bin}:${process.env.PATH ?? ''}`, RALPH_SANDBOX: '' } });
    expect([end.code, end.stdout.includes('sandbox docker')]).toEqual([0, true]);
  });

  it('docker without an image, and a path that is no path, are mistakes in the config', async () => {
    const [docker, path] = [sceneOf({ sandbox: 'docker' }), sceneOf({ sandbox: { allow: { read: ['secrets'] } } })];
    const ends = await Promise.all([docker, path].map(repo => repo.ralph(['run'])));
    expect(ends.map(({ code }) => code)).toEqual([2, 2]);
    expect(ends[0]?.stderr).toContain('image');
    expect(ends[1]?.stderr).toContain('~/');
  });

  it('a container is started with the policy, and removed when its client is gone', async () => {
    const repo = sceneOf({ sandbox: { tier: 'docker', image: 'img' }, gates: ['test -f README.md'] });
    const log = join(repo.outside, 'log');
    // Stands in for docker: notes how it is called and starts the command after the image.
    const fake = `#!/bin/sh\necho "$*" >> ${log}\n[ "$1" = run ] || exit 0\nwhile [ "$1" != img ]; do shift; done; shift; exec "$@"\n`;
    const end = await repo.ralph(['run'], {
      env: { PATH: `${pathOf(repo, { docker: fake })}:${process.env.PATH ?? ''}`, RALPH_SANDBOX: '' },
    });
    expect(end.code).toBe(0);
    const calls = readFileSync(log, 'utf8').split('\n');
    const [name] = calls.flatMap(call => /--name (ralph-\w+) .*agent$/.exec(call)?.[1] ?? []);
    expect(name).toBeDefined();
    expect(calls).toContain(`rm --force ${name}`);
    expect(calls.filter(call => call.includes('--network none')).length).toBeGreaterThan(0);
  });
});
