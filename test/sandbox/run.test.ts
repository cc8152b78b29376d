/** A whole run in bubblewrap: what a hostile agent does outside its tree has no effect, and honest work is done as ever. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { doneIn, GIT, planOf, play, recordsOf, runs, verdictsIn, works } from '../loop/scene.ts';
import { processesWith, uniqueSleep } from '../process/helpers.ts';
import { makeRepo, type Repo } from '../support/repo.ts';
import { whyNoBwrap } from './bwrap-here.ts';

const refused = whyNoBwrap();
const people: readonly { readonly who: string; readonly uid?: number }[] = [
  { who: 'as the user of the tests' },
  { who: 'as an ordinary user', uid: 65_534 },
];

/** Seven kinds of children that try to outlive their parent, twenty of each; they wait for that and then write into the tree. */
const SPAWN = `B="sh $PWD/wait.sh $2 $PWD $1"
for n in $(seq 20); do
  $B &
  nohup $B >/dev/null 2>&1 &
  sh -c "trap '' TERM INT HUP; $B" &
  setsid sh -c "trap '' TERM INT HUP; $B" &
  (setsid sh -c "($B) &" &)
  env -i setsid $B &
  (env -i setsid sh -c "(cd /; $B) &" &)
done
echo 140 > started.txt
`;
const WAIT = `while kill -0 "$1" 2>/dev/null; do sleep 0.1; done
sleep 0.3
echo swapped > "$2/stolen.txt"
exec sleep "$3"
`;

function canaries(repo: Repo): readonly string[] {
  const folders = [
    repo.outside,
    repo.home,
    join(repo.home, '.ssh'),
    join(repo.home, '.aws'),
    join(repo.home, 'other', '.git'),
  ];
  return folders.flatMap(folder => {
    mkdirSync(folder, { recursive: true });
    return Array.from({ length: 20 }, (_, at) => {
      const file = join(folder, `canary-${at}`);
      writeFileSync(file, `SECRET-${at} ${folder}\n`);
      return file;
    });
  });
}

const hashes = (files: readonly string[]): readonly string[] =>
  files.map(file => (existsSync(file) ? createHash('sha256').update(readFileSync(file)).digest('hex') : 'gone'));

describe.skipIf(refused !== '')(`a run inside bubblewrap${refused}`, () => {
  it('says of a gate that is red before the first item that the sandbox may be why', async () => {
    const repo = makeRepo({ plan: planOf('US-1'), config: { sandbox: 'bwrap', gates: ['false'] }, scenario: play({}) });
    const why = 'ralph doctor --no-sandbox';
    expect(await repo.ralph(['run'])).toMatchObject({ code: 4, stderr: expect.stringContaining(why) });
    expect((await repo.ralph(['run', '--no-sandbox'])).stderr).not.toContain(why);
  });

  it('does the work, commits and says what kept it inside, also in a worktree and with a reviewer', async () => {
    const repo = makeRepo({
      plan: planOf('US-1', 'US-2'),
      config: {
        gates: ['test -f README.md', 'git status'],
        final: ['test -f US-1.txt && git log -1'],
        review: 'all',
        workspace: 'worktree',
        mcp: true,
        sandbox: { tier: 'bwrap', allow: { read: [resolve('.')] } },
      },
      scenario: {
        ...play({
          'US-1': works,
          'US-2': runs(
            'echo two > US-2.txt',
            'git add -A',
            `${GIT} commit -qm "own commit"`,
            'echo x > "$RALPH_INBOX/note" && ! touch "$RALPH_INBOX/../note"',
            `node ${resolve('test/support/mcp-call.mjs')} progress '{"text":"Said from inside."}'`,
          ),
        }),
        reviews: { 'US-1': {}, 'US-2': {} },
      },
    });
    const end = await repo.ralph(['run']);
    expect(end.stderr + end.stdout).toContain('sandbox bwrap');
    expect(verdictsIn(repo)).toEqual(['US-1 accepted', 'US-2 accepted']);
    expect(recordsOf(repo, 'run.started')[0]?.sandbox).toBe('bwrap');
    expect(recordsOf(repo, 'agent.finished').every(({ end: { reason } }) => reason === 'exited')).toBe(true);
    expect(repo.git('log', '--format=%B', 'ralph/shop')).toContain('Ralph-Sandbox: bwrap');
    expect(repo.read('.ralph/progress.md')).toContain('Said from inside.');
    expect(readdirSync(join(repo.root, '.ralph/inbox'))).toEqual([]);
    expect((await repo.ralph(['report'])).stdout).toContain('bwrap');
  });

  it.for(people)('leaves 100 files outside as they were, and reads no secret ($who)', async ({ uid }, { skip }) => {
    if (uid !== undefined && process.getuid?.() !== 0) skip('only root can start it as somebody else');
    const marker = uniqueSleep();
    const repo = makeRepo({
      plan: planOf('US-1'),
      files: { 'spawn.sh': SPAWN, 'wait.sh': WAIT },
      config: { sandbox: 'bwrap', gates: ['test ! -e stolen.txt && sleep 1 && test ! -e stolen.txt'] },
      scenario: play({
        'US-1': runs(
          'cat ../outside/* ../home/* ../home/.ssh/* ../home/.aws/* ../home/other/.git/* "$HOME"/.ssh/* /proc/1/root/"$HOME"/.ssh/* > loot.txt 2>&1 || true',
          'for f in ../outside ../home "$HOME/.ssh" "$HOME/.aws"; do for n in $(seq 0 19); do echo pwned > $f/canary-$n; done; rm -rf $f; done || true',
          // The files of the runner, replaced by links to something outside.
          'for f in .ralph/progress.md .ralph/runs/*/iterations/*/brief.md .ralph/runs/*/journal.jsonl; do rm -f $f; ln -s $PWD/../outside/canary-0 $f; done || true',
          `sh spawn.sh ${marker} $PPID`,
        ),
      }),
    });
    const files = canaries(repo);
    const before = hashes(files);
    const own = (id: number) => execFileSync('chown', ['-R', `${id}:${id}`, dirname(repo.root)]);
    if (uid !== undefined) own(uid);
    const end = await repo.ralph(['run'], uid === undefined ? {} : { uid });
    if (uid !== undefined) own(0);
    expect(hashes(files)).toEqual(before);
    expect(end.stdout).toContain('accepted');
    expect(doneIn(repo)).toEqual(['US-1']);
    const tree = repo.git('ls-tree', '-r', '--name-only', 'ralph/shop').split('\n');
    expect(tree).toContain('started.txt');
    expect(tree).not.toContain('stolen.txt');
    expect(repo.git('show', 'ralph/shop:loot.txt')).not.toMatch(/SECRET-\d+ /);
    expect(processesWith(marker, 'cmdline')).toEqual([]);
    expect(processesWith(marker, 'environ')).toEqual([]);
  });

  it.each(['bwrap', 'none'] as const)(
    'what an agent leaves in HOME and on PATH deceives no gate (%s)',
    async sandbox => {
      const repo = makeRepo({
        plan: planOf('US-1'),
        files: { 'package.json': JSON.stringify({ scripts: { check: 'test ! -e US-1.txt' } }) },
        config: { sandbox, gates: ['checker', 'npm run --silent check'], limits: { attempts: 1 } },
        scenario: play({
          'US-1': runs(
            'echo wrong > US-1.txt',
            'mkdir -p "$HOME/bin" "$HOME/.config/go"',
            'echo "script-shell=/bin/true" > "$HOME/.npmrc"',
            `printf '#!/bin/sh\\nexit 0\\n' > "$HOME/bin/checker"; cp "$HOME/bin/checker" "$HOME/bin/npm"; chmod +x "$HOME"/bin/*`,
          ),
        }),
      });
      const bin = join(repo.home, 'bin');
      mkdirSync(bin);
      writeFileSync(join(bin, 'checker'), '#!/bin/sh\ntest ! -e US-1.txt\n', { mode: 0o755 });
      const env = { PATH: `${bin}:${process.env.PATH ?? ''}` };
      const end = await repo.ralph(['run'], { env });
      // Without a sandbox this is the hole that the documentation names.
      expect([sandbox, ...verdictsIn(repo)]).toEqual([
        sandbox,
        sandbox === 'bwrap' ? 'US-1 rejected' : 'US-1 accepted',
      ]);
      expect(end.code).toBe(sandbox === 'bwrap' ? 3 : 0);
    },
  );
});
