/** The power goes at any moment: what was accepted is there, nothing is corrupt, and the next start goes on by itself. */
import { execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Event } from '../../src/events.ts';
import { cleanEnv, cliFile } from '../support/cli.ts';
import { makeRepo, type Repo, type RepoOptions } from '../support/repo.ts';
import { makeDisk, whyNoDisk } from './disk.ts';
import { committedItems, doneItems } from './oracle.ts';

const CUTS = Number(process.env.RALPH_CUTS ?? (process.env.RALPH_SOAK ? 100 : 10));
const CUTS_PER_RUN = 10;
const why = whyNoDisk();
if (why !== undefined) console.warn(`no power is cut: ${why}`);

const ids = Array.from({ length: 5 }, (_, n) => `item-${n + 1}`);
const work = { write: { path: 'src/{{item}}/text.txt', text: '{{item}} is done\n' } };
const plan = { project: 'five', userStories: ids.map(id => ({ id, title: `Write ${id}`, passes: false })) };
const five: RepoOptions = {
  files: { 'src/start.txt': 'fine\n' },
  plan,
  config: { gates: ['! grep -rq BROKEN src'], final: ['test -f src/item-5/text.txt'] },
  scenario: {
    items: {
      '*': [{ steps: [work, { sleep: '50ms' }] }],
      'item-3': [{ steps: [{ write: { path: 'src/item-3/text.txt', text: 'BROKEN\n' } }] }, { steps: [work] }],
      'item-4': [{ steps: [work, { run: 'git add -A && git -c user.name=a -c user.email=a@b.org commit -q -m own' }] }],
    },
  },
};

const variants: readonly { readonly name: string; readonly options: RepoOptions; readonly branch: string }[] = [
  { name: 'in the checkout', options: five, branch: 'ralph/five' },
  {
    name: 'with a plan that git does not see',
    options: { ...five, files: { ...five.files, '.gitignore': 'prd.json\n' } },
    branch: 'ralph/five',
  },
  {
    name: 'in a worktree',
    options: { ...five, config: { ...five.config, workspace: 'worktree' } },
    branch: 'ralph/five',
  },
];

describe.skipIf(why !== undefined)(`${CUTS} power cuts`, () => {
  test(
    'lose no accepted item, corrupt nothing and need nobody',
    async () => {
      for (let cut = 0; cut < CUTS; cut += CUTS_PER_RUN) {
        for (const [n, variant] of variants.entries()) {
          // One variant a time where there are only a few cuts, all of them in a soak.
          const share = Math.ceil(CUTS_PER_RUN / variants.length);
          await cutAndGoOn(variant, Math.min(share, CUTS - cut - n * share));
        }
      }
    },
    CUTS * 60_000,
  );
});

interface Cut {
  readonly image: string;
  /** What had been told by then. */
  readonly told: readonly Event[];
}

async function cutAndGoOn({ name, options, branch }: (typeof variants)[number], count: number): Promise<void> {
  if (count <= 0) return;
  const disk = makeDisk();
  onTestFinished(() => disk.remove());
  const repo = within(disk.folder, () => makeRepo(options));
  execFileSync('sync', ['-f', disk.folder]);
  const running = repo.start(['run', '--json']);
  let text = '';
  running.child.stdout?.on('data', (chunk: Buffer) => {
    text += chunk.toString('utf8');
  });
  const told = () => text.slice(0, text.lastIndexOf('\n') + 1);
  const over = running.ended.then(() => 'over' as const);
  const cuts: Cut[] = [];
  // What was told before the cut, so that nothing told is younger than it.
  const cut = () => {
    const events = parse(told());
    cuts.push({ image: disk.cut(), told: events });
  };
  while (cuts.length < count - 1 && (await Promise.race([over, sleep(Math.random() * 900)])) !== 'over') cut();
  // The last one comes when all is done.
  await over;
  cut();
  for (const { image, told: events } of cuts) {
    disk.swap(image);
    await goOn(repo, { events, branch, what: `${name}, after ${events.length} events` });
  }
}

const parse = (lines: string): readonly Event[] =>
  lines
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line) as Event);

async function goOn(
  repo: Repo,
  { events, branch, what }: { readonly events: readonly Event[]; readonly branch: string; readonly what: string },
): Promise<void> {
  const { code, stdout, stderr } = await afterReboot(repo);
  expect({ code, stderr, stdout: code === 0 ? '' : stdout.slice(-3000) }, what).toEqual({
    code: 0,
    stderr: '',
    stdout: '',
  });
  const accepted = events.flatMap(event =>
    event.type === 'iteration.finished' && event.verdict === 'accepted' && event.commit ? [event.commit] : [],
  );
  const judged = events.flatMap(event =>
    event.type === 'verdict' && event.verdict.type === 'accepted' ? [`${event.item} ${event.iteration}`] : [],
  );
  const commits = repo.git('rev-list', branch).split('\n');
  const trailers =
    '%(trailers:key=Ralph-Item,valueonly,separator=%x2c) %(trailers:key=Ralph-Iteration,valueonly,separator=%x2c)';
  const made = repo.git('log', branch, `--format=${trailers}`).split('\n');
  expect(
    {
      lost: accepted.filter(commit => !commits.includes(commit)),
      redone: judged.filter(item => !made.includes(item)),
      commits: committedItems(repo, branch),
      done: repo.git('ls-files', 'prd.json') === '' ? doneItems(repo) : doneItems(repo, branch),
      status: repo.git('status', '--porcelain'),
      fsck: repo.git('fsck', '--full', '--strict', '--no-dangling', '--no-progress'),
      // Its copies are looked at by the next run that has something to do.
      vault: events.at(-1)?.type === 'run.finished' ? '' : vaultObjects(repo),
    },
    what,
  ).toEqual({ lost: [], redone: [], commits: ids, done: ids, status: '', fsck: '', vault: '' });
}

/** Objects of the vault that are not what their names say. */
function vaultObjects(repo: Repo): string {
  const script =
    'cd .ralph/runs/.git/objects && for f in ??/*; do id=$(echo "$f" | tr -d /); git --git-dir=.. cat-file -e "$id" 2>&1 && git --git-dir=.. cat-file -s "$id" >/dev/null || echo "$id"; done';
  return execFileSync('sh', ['-c', script], { cwd: repo.root, encoding: 'utf8' }).trim();
}

/** `ralph run` as after a boot: what ran before is of another one. */
async function afterReboot(repo: Repo): Promise<{ code: unknown; stdout: string; stderr: string }> {
  const boot = join(repo.root, '..', '..', '..', 'boot');
  writeFileSync(boot, `${randomUUID()}\n`);
  const script = 'mount --bind "$0" /proc/sys/kernel/random/boot_id && exec "$@"';
  const child = spawn('unshare', ['-m', 'sh', '-c', script, boot, process.execPath, cliFile, 'run', '--json'], {
    cwd: repo.root,
    env: cleanEnv(repo.home),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, err]: [Buffer[], Buffer[]] = [[], []];
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
  const [code] = await once(child, 'close');
  return { code, stdout: Buffer.concat(out).toString('utf8'), stderr: Buffer.concat(err).toString('utf8') };
}

/** Temporary folders are made on that disk. */
function within<T>(folder: string, act: () => T): T {
  const before = process.env.TMPDIR;
  process.env.TMPDIR = folder;
  try {
    return act();
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
}
