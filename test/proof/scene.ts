/** Small real projects, what an agent does to them, and what was found out about it. */
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Evidence } from '../../src/protocol.ts';
import { type Entry, planOf, play, recordsOf, story } from '../loop/scene.ts';
import { makeRepo, type Repo, type RunFlags } from '../support/repo.ts';

export interface Project {
  readonly files: Readonly<Record<string, string>>;
  readonly gate: string;
  readonly config?: Entry;
  /** What the item says; its title is `Story US-1` otherwise. */
  readonly item?: Entry;
  /** Files that the agent writes, one set for each attempt; an empty text deletes. */
  readonly attempts: readonly Readonly<Record<string, string>>[];
  readonly packages?: 'linked';
}

/** One item, worked on once for each of the attempts. */
export function project({ files, gate, config = {}, item = {}, attempts, packages }: Project): Repo {
  const repo = makeRepo({
    files: { ...files, '.gitignore': 'node_modules\n__pycache__\n.pytest_cache\n' },
    config: {
      'gate-env': ['*'],
      gates: [{ name: 'test', run: gate }],
      limits: { attempts: attempts.length },
      ...config,
    },
    plan: planOf(story('US-1', item)),
    scenario: play({
      'US-1': attempts.map(written => ({
        steps: Object.entries(written).map(([path, text]) =>
          text === '' ? { run: `rm -r ${path}` } : { write: { path, text } },
        ),
      })),
    }),
  });
  if (packages)
    symlinkSync(fileURLToPath(new URL('../../node_modules', import.meta.url)), join(repo.root, 'node_modules'));
  return repo;
}

export const evidenceIn = (repo: Repo): readonly Evidence[] =>
  recordsOf(repo, 'evidence').map(({ evidence }) => evidence);

/** `level rule`, of the rules that are not about the diff alone. */
export const foundIn = (repo: Repo, at = 0): readonly string[] =>
  (evidenceIn(repo)[at]?.findings ?? [])
    .filter(({ rule }) => /^(?:tests-fewer|old-tests|test-first|test-vacuous|mutation|evidence-incomplete)$/.test(rule))
    .map(({ level, rule }) => `${level} ${rule}`);

export const messageIn = (repo: Repo, rule: string, at = 0): string =>
  (evidenceIn(repo)[at]?.findings ?? []).find(finding => finding.rule === rule)?.message ?? '';

/** `proof name`, of each new or changed test. */
export const proofsIn = (repo: Repo, at = 0): readonly string[] =>
  (evidenceIn(repo)[at]?.proof?.tests ?? []).map(({ proof, test }) => `${proof} ${test}`);

/** A temporary folder of the run's own, in which nothing may be left. */
export function ownTmp(repo: Repo): { readonly folder: string; readonly flags: RunFlags; left(): readonly string[] } {
  const folder = join(repo.outside, 'tmp');
  mkdirSync(folder);
  return { folder, flags: { env: { TMPDIR: folder } }, left: () => readdirSync(folder) };
}
