/** A throw-away git repository with a plan, a config and a scripted agent; removed at the end of its test file. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Recorded } from '../../src/events.ts';
import { readJournal } from '../../src/journal/read-journal.ts';
import { listRuns } from '../../src/journal/run-list.ts';
import { journalOf, ralphFolder } from '../../src/journal/runs.ts';
import { atEndOfFile } from './at-end.ts';
import { type CliOptions, cleanEnv, type Ended, type Running, ralph, startRalph } from './cli.ts';
import { removeFolder } from './remove-folder.ts';

export interface RepoOptions {
  /** By path; committed at the start. */
  readonly files?: Readonly<Record<string, string>>;
  /** `prd.json`, committed at the start: a string as it is, anything else as JSON. */
  readonly plan?: unknown;
  /** `ralph.json`, committed at the start. With a scenario, the agent need not be named. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** What the scripted agent does; stored outside the repository. */
  readonly scenario?: unknown;
  /** The checked-out branch; by default `main`, which is protected. */
  readonly branch?: string;
}

export type RunFlags = Partial<Omit<CliOptions, 'home'>>;

export interface Repo {
  readonly root: string;
  readonly home: string;
  /** A folder beside the repository, for files that must not be in its tree. */
  readonly outside: string;
  git(...args: readonly string[]): string;
  /** Runs `ralph <args>` to its end, for example `repo.ralph(['run', '--json'])`. */
  ralph(args: readonly string[], flags?: RunFlags): Promise<Ended>;
  /** Runs `ralph run <flags>` in this process: see run-here.ts for when that is enough. */
  run(flags?: readonly string[], options?: { readonly env?: Readonly<Record<string, string>> }): Promise<Ended>;
  /** Starts `ralph <args>` without waiting. */
  start(args: readonly string[], flags?: RunFlags): Running;
  read(path: string): string;
  write(path: string, text: string): void;
  /** The plan as it is on disk now. */
  plan(): { readonly userStories: readonly Story[] };
  /** Run ids, newest first. */
  runs(): readonly string[];
  /** The records of a run, by default the newest; throws if the journal is refused. */
  journal(run?: string): readonly Recorded[];
  journalFile(run?: string): string;
  /** Another repository in the same state. */
  copy(): Repo;
  remove(): void;
}

export interface Story {
  readonly id: string;
  readonly title: string;
  readonly passes: boolean;
}

export function makeRepo(options: RepoOptions = {}): Repo {
  const repo = openRepo(newFolder());
  const { root, home, outside } = repo;
  for (const folder of [root, home, outside]) mkdirSync(folder);
  for (const [path, text] of Object.entries(filesOf(options))) repo.write(path, text);
  if (options.scenario !== undefined) writeFileSync(join(outside, 'scenario.json'), asText(options.scenario));
  // Copied from a template, because a test run makes a thousand of them.
  const template = process.env.RALPH_TEST_TEMPLATE;
  if (template === undefined) throw new Error('global-setup.ts makes the template of all repositories');
  cpSync(join(template, '.git'), join(root, '.git'), { recursive: true });
  if (options.branch !== undefined) repo.git('symbolic-ref', 'HEAD', `refs/heads/${options.branch}`);
  repo.git('add', '-A');
  repo.git('commit', '-q', '--allow-empty', '-m', 'Start');
  return repo;
}

function filesOf({ files = {}, plan, config, scenario }: RepoOptions): Record<string, string> {
  // A relative path, so that two repositories made alike have the same tree.
  const agent = scenario === undefined ? {} : { agent: { use: 'script', scenario: '../outside/scenario.json' } };
  return {
    'README.md': '# A repository\n',
    ...files,
    ...(plan === undefined ? {} : { 'prd.json': asText(plan) }),
    ...(config === undefined && scenario === undefined ? {} : { 'ralph.json': asText({ ...agent, ...config }) }),
  };
}

const asText = (value: unknown): string =>
  typeof value === 'string' ? value : `${JSON.stringify(value, undefined, 2)}\n`;

const newFolder = (): string => realpathSync(mkdtempSync(join(tmpdir(), 'ralph-repo-')));

function openRepo(top: string): Repo {
  const [root, home, outside] = [join(top, 'repo'), join(top, 'home'), join(top, 'outside')];
  const folder = ralphFolder(root);
  const person = {
    GIT_AUTHOR_NAME: 'A Person',
    GIT_AUTHOR_EMAIL: 'person@example.org',
    GIT_COMMITTER_NAME: 'A Person',
    GIT_COMMITTER_EMAIL: 'person@example.org',
  };
  const newest = (): string => {
    const run = listRuns(folder)[0];
    if (run === undefined) throw new Error('no run was made');
    return run;
  };
  const read = (path: string) => readFileSync(join(root, path), 'utf8');
  const repo: Repo = {
    root,
    home,
    outside,
    git: (...args) => {
      const env = cleanEnv(home, person);
      return execFileSync('git', args, { cwd: root, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
    },
    ralph: (args, flags) => ralph(args, { cwd: root, home, ...flags }),
    run: async (flags = [], options) => {
      // Loaded on demand, so that tests that do not need it do not load the whole program.
      const { runHere } = await import('./run-here.ts');
      return await runHere(flags, { cwd: root, home, ...options });
    },
    start: (args, flags) => startRalph(args, { cwd: root, home, ...flags }),
    read,
    write: (path, text) => {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    },
    plan: () => JSON.parse(read('prd.json')) as { userStories: Story[] },
    runs: () => listRuns(folder),
    journal: (run = newest()) => {
      const records: Recorded[] = [];
      const end = readJournal(journalOf(folder, run), record => records.push(record));
      if (!end.ok) throw new Error(end.error.message);
      return records;
    },
    journalFile: (run = newest()) => journalOf(folder, run),
    copy: () => {
      const to = newFolder();
      cpSync(top, to, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
      return openRepo(to);
    },
    remove: () => removeFolder(top),
  };
  // `RALPH_TEST_KEEP=1` keeps the repositories, for inspecting a failure.
  atEndOfFile(() => {
    if (!process.env.RALPH_TEST_KEEP) repo.remove();
  });
  return repo;
}
