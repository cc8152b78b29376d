/**
 * `gh` and `glab` as far as they are used, over one file of issues: the same flags, the same JSON, the same exit codes and the
 * same words as theirs where something is wrong. An unknown flag is an error, so that a call they would refuse is refused here.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Repo } from '../support/repo.ts';

export interface StandInIssue {
  readonly number: number;
  readonly title: string;
  readonly body?: string;
  readonly labels?: readonly string[];
  readonly milestone?: string;
  readonly state?: 'open' | 'closed';
  readonly comments?: readonly string[];
}

export interface Store {
  readonly project: string;
  /** What the repository knows; GitLab makes those that are missing. */
  labels: string[];
  issues: {
    number: number;
    title: string;
    body: string;
    labels: string[];
    milestone: string;
    state: 'open' | 'closed';
    comments: string[];
  }[];
  /** How the program answers: as ever, or with one of the troubles it can have. */
  mode: 'fine' | 'offline' | 'logged-out' | 'slow';
  calls: string[][];
}

export interface Tracker {
  /** Environment with the programs first on the PATH. */
  readonly env: Readonly<Record<string, string>>;
  read(): Store;
  change(how: (store: Store) => void): void;
}

export function standIn(
  repo: Repo,
  name: 'gh' | 'glab',
  issues: readonly StandInIssue[],
  project = 'acme/shop',
): Tracker {
  const bin = join(repo.outside, `bin-${name}`);
  const file = join(repo.outside, `${name}.json`);
  mkdirSync(bin, { recursive: true });
  const labels = [...new Set(issues.flatMap(issue => issue.labels ?? []))];
  const store: Store = {
    project,
    labels,
    issues: issues.map(issue => ({
      number: issue.number,
      title: issue.title,
      body: issue.body ?? '',
      labels: [...(issue.labels ?? [])],
      milestone: issue.milestone ?? '',
      state: issue.state ?? 'open',
      comments: [...(issue.comments ?? [])],
    })),
    mode: 'fine',
    calls: [],
  };
  const write = (next: Store) => writeFileSync(file, JSON.stringify(next));
  const read = () => JSON.parse(readFileSync(file, 'utf8')) as Store;
  write(store);
  const program = join(bin, name);
  writeFileSync(
    program,
    `#!${process.execPath}\nconst FILE = ${JSON.stringify(file)};\n${COMMON}\n${name === 'gh' ? GH : GLAB}`,
  );
  chmodSync(program, 0o755);
  return {
    env: { PATH: `${bin}:${process.env.PATH ?? '/usr/bin:/bin'}` },
    read,
    change: how => {
      const next = read();
      how(next);
      write(next);
    },
  };
}

const COMMON = `
const { readFileSync, writeFileSync, renameSync } = require('node:fs');
const store = JSON.parse(readFileSync(FILE, 'utf8'));
const save = () => { writeFileSync(FILE + '.new', JSON.stringify(store)); renameSync(FILE + '.new', FILE); };
const argv = process.argv.slice(2);
store.calls.push(argv);
save();
const die = (code, text) => { process.stderr.write(text + '\\n'); process.exit(code); };
/** Flags by name, each a list; what is no flag is a word. */
function parse(args, known) {
  const flags = {}; const words = [];
  for (let i = 0; i < args.length; i++) {
    if (!args[i].startsWith('--')) { words.push(args[i]); continue; }
    const name = args[i].slice(2);
    if (!known.includes(name)) die(1, 'unknown flag: --' + name);
    if (name === 'force') { flags.force = ['true']; continue; }
    (flags[name] ??= []).push(...(name.includes('label') ? args[++i].split(',') : [args[++i]]));
  }
  return { flags, words };
}
const find = number => store.issues.find(issue => String(issue.number) === number);
if (store.mode === 'slow') { setTimeout(() => undefined, 600000); }
`;

const GH = `
const KNOWN = {
  'issue list': ['repo', 'state', 'limit', 'json', 'label', 'milestone'],
  'issue view': ['repo', 'json'],
  'issue edit': ['repo', 'add-label', 'remove-label'],
  'issue comment': ['repo', 'body-file'],
  'issue close': ['repo', 'reason'],
  'issue reopen': ['repo'],
  'label list': ['repo', 'json', 'limit'],
  'label create': ['repo', 'color', 'description', 'force'],
};
const name = argv.slice(0, 2).join(' ');
const { flags, words: [number] } = parse(argv.slice(2), KNOWN[name] ?? die(1, 'unknown command "' + name + '" for "gh"'));
const shown = issue => Object.fromEntries(flags.json[0].split(',').map(field => [field, {
  number: issue.number, title: issue.title, body: issue.body, state: issue.state === 'open' ? 'OPEN' : 'CLOSED',
  labels: issue.labels.map((label, index) => ({ id: 'LA_' + index, name: label, description: '', color: 'ededed' })),
  milestone: issue.milestone ? { number: 1, title: issue.milestone, description: '', dueOn: null } : null,
  url: 'https://github.com/' + store.project + '/issues/' + issue.number,
}[field]]));
if (store.mode === 'logged-out') die(4, 'To get started with GitHub CLI, please run:  gh auth login\\nAlternatively, populate the GH_TOKEN environment variable with a GitHub API authentication token.');
if (store.mode === 'offline') die(1, 'error connecting to api.github.com\\ncheck your internet connection or https://githubstatus.com');
if (store.mode === 'fine') main();
function main() {
  if (flags.repo?.[0] !== store.project) die(1, "GraphQL: Could not resolve to a Repository with the name '" + flags.repo?.[0] + "'. (repository)");
  const issue = number === undefined || name.startsWith('label') ? undefined : find(number);
  if (name.startsWith('issue') && name !== 'issue list' && !issue) die(1, 'GraphQL: Could not resolve to an issue or pull request with the number of ' + number + '. (repository.issue)');
  switch (name) {
    case 'issue list': {
      const all = store.issues
        .filter(each => each.state === (flags.state?.[0] ?? 'open'))
        .filter(each => (flags.label ?? []).every(label => each.labels.includes(label)))
        .filter(each => !flags.milestone || each.milestone === flags.milestone[0]);
      console.log(JSON.stringify(all.toReversed().slice(0, Number(flags.limit?.[0] ?? 30)).map(shown)));
      break;
    }
    case 'issue view': console.log(JSON.stringify(shown(issue))); break;
    case 'issue edit': {
      const missing = [...(flags['add-label'] ?? []), ...(flags['remove-label'] ?? [])].find(label => !store.labels.includes(label));
      if (missing) die(1, "failed to update https://github.com/" + store.project + '/issues/' + number + ": '" + missing + "' not found\\nfailed to update 1 issue");
      issue.labels = [...new Set([...issue.labels.filter(label => !(flags['remove-label'] ?? []).includes(label)), ...(flags['add-label'] ?? [])])];
      break;
    }
    case 'issue comment': issue.comments.push(readFileSync(0, 'utf8')); break;
    case 'issue close': issue.state = 'closed'; break;
    case 'issue reopen': issue.state = 'open'; break;
    case 'label list': console.log(JSON.stringify(store.labels.map(label => ({ name: label })))); break;
    case 'label create': if (!store.labels.includes(number)) store.labels.push(number); break;
  }
  save();
}
`;

const GLAB = `
const KNOWN = {
  'issue list': ['repo', 'output', 'per-page', 'page', 'label', 'milestone'],
  'issue view': ['repo', 'output'],
  'issue update': ['repo', 'label', 'unlabel'],
  'issue note': ['repo', 'message'],
  'issue close': ['repo'],
  'issue reopen': ['repo'],
};
const name = argv.slice(0, 2).join(' ');
const { flags, words: [number] } = parse(argv.slice(2), KNOWN[name] ?? die(1, 'Unknown command "' + name + '" for "glab".'));
const shown = issue => ({
  id: 9000 + issue.number, iid: issue.number, project_id: 7, title: issue.title, description: issue.body || null,
  state: issue.state === 'open' ? 'opened' : 'closed', labels: issue.labels,
  milestone: issue.milestone ? { id: 1, iid: 1, title: issue.milestone } : null,
  web_url: 'https://gitlab.com/' + store.project + '/-/issues/' + issue.number,
});
if (store.mode === 'logged-out') die(1, 'To get started with GitLab CLI, please run:  glab auth login');
if (store.mode === 'offline') die(1, 'Get "https://gitlab.com/api/v4/projects/7/issues": dial tcp: lookup gitlab.com: no such host');
if (store.mode === 'fine') main();
function main() {
  if (flags.repo?.[0] !== store.project) die(1, '404 Not Found');
  const issue = number === undefined ? undefined : find(number);
  if (name !== 'issue list' && !issue) die(1, '404 Not Found');
  switch (name) {
    case 'issue list': {
      const size = Number(flags['per-page']?.[0] ?? 30); const page = Number(flags.page?.[0] ?? 1);
      const all = store.issues
        .filter(each => each.state === 'open')
        .filter(each => (flags.label ?? []).every(label => each.labels.includes(label)))
        .filter(each => !flags.milestone || each.milestone === flags.milestone[0]);
      console.log(JSON.stringify(all.toReversed().slice((page - 1) * size, page * size).map(shown)));
      break;
    }
    case 'issue view': console.log(JSON.stringify(shown(issue))); break;
    case 'issue update':
      issue.labels = [...new Set([...issue.labels.filter(label => !(flags.unlabel ?? []).includes(label)), ...(flags.label ?? [])])];
      break;
    case 'issue note': issue.comments.push(flags.message[0]); break;
    case 'issue close': issue.state = 'closed'; break;
    case 'issue reopen': issue.state = 'open'; break;
  }
  save();
}
`;

/** A PATH with git and a shell on it and nothing else: the machine may have `gh` itself. */
export function bareBin({ outside }: Repo): string {
  const bin = join(outside, 'bin-bare');
  mkdirSync(bin, { recursive: true });
  for (const name of ['git', 'sh']) {
    symlinkSync(execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim(), join(bin, name));
  }
  return bin;
}
