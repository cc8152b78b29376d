/** The guards on any range of any repository: no run, no plan, no agent. Nothing is written. */

import { checkGuards } from '../audit/index.ts';
import { seeChange } from '../checks/index.ts';
import { CONFIG_NAMES, type Config, findConfig, loadConfigReader, rulesOf } from '../config/index.ts';
import { allowProblem } from '../plan/index.ts';
import type { Item } from '../protocol.ts';
import type { AuditReport } from '../report/index.ts';
import { type Failure, fail, ok, type Result } from '../util/result.ts';
import { Git, parseDiff, placeOfRepository, readContents, searchTests } from '../workspace/index.ts';
import { findRange } from './range.ts';

export interface AuditOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** `base..head`, `base...head` or `base`; the current branch against main where it is left out. */
  readonly range?: string;
  /** Guards to lift: `rule` or `rule:glob`. */
  readonly allow?: readonly string[];
}

export async function audit({
  cwd = process.cwd(),
  env = process.env,
  range,
  allow = [],
}: AuditOptions = {}): Promise<Result<AuditReport>> {
  const wrong = allow.map(allowProblem).find(problem => problem !== undefined);
  if (wrong !== undefined) return fail<Failure>({ reason: 'usage', message: `--${wrong}` });
  const repository = await openAny(cwd, env);
  if (!repository.ok) return repository;
  const { git, root } = repository.value;
  const found = await findRange(git, range);
  if (!found.ok) return found;
  const { base, head } = found.value;
  const flags = ['-r', '--raw', '--numstat', '-z', '--no-renames', '--no-ext-diff', '--no-textconv'];
  const listed = await git.run({ args: ['diff-tree', ...flags, base.tree, head.tree] });
  if (!listed.ok) return listed;
  const { changes } = parseDiff(listed.value);
  const configs = CONFIG_NAMES.flatMap(name => [`${base.tree}:${name}`, `${head.tree}:${name}`]);
  let texts: ReadonlyMap<string, string> = new Map();
  const seen = await seeChange({
    changes,
    tree: head.tree,
    contents: async (files, also) => {
      // The config comes with the rest: to ask git for it alone takes as long as for all of it.
      const read = await readContents({ git, changes: files, also: [...also, ...configs] });
      if (read.ok) texts = read.value.also;
      return read;
    },
    testsWith: (tree, texts) => searchTests(git, tree, texts),
  });
  if (!seen.ok) return seen;
  const config = await configOf(root, name => ({
    before: texts.get(`${base.tree}:${name}`),
    after: texts.get(`${head.tree}:${name}`),
  }));
  if (!config.ok) return config;
  const rules = rulesOf(config.value);
  const findings = checkGuards({ changes, item: itemOf(allow), rules, scope: 'range', ...seen.value });
  return ok({
    base: base.name,
    head: head.name,
    files: changes.length,
    added: changes.reduce((sum, change) => sum + change.added, 0),
    deleted: changes.reduce((sum, change) => sum + change.deleted, 0),
    findings,
  });
}

/** A bare repository has ranges, too. */
async function openAny(
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<Result<{ readonly git: Git; readonly root: string }>> {
  const repository = await placeOfRepository(cwd, env);
  if (repository.ok) return repository;
  const git = new Git(cwd, env);
  const bare = await git.text('rev-parse', '--is-bare-repository');
  return bare.ok && bare.value === 'true' ? ok({ git, root: cwd }) : repository;
}

/** A range asks for nothing in words, so nothing is named. */
const itemOf = (allow: readonly string[]): Item => ({
  id: 'range',
  title: '',
  status: 'pending',
  dependsOn: [],
  line: 1,
  body: '',
  criteria: [],
  verify: [],
  changeOptional: true,
  allow,
});

/**
 * The config as it was before the change: whoever could edit it inside the range could turn the guards off. One that
 * is not in the repository at all is the user's own.
 */
async function configOf(
  root: string,
  textOf: (name: string) => Readonly<Record<'before' | 'after', string | undefined>>,
): Promise<Result<Config>> {
  for (const name of CONFIG_NAMES) {
    const { before } = textOf(name);
    // Most changes come without a config, and then nothing that reads one is loaded.
    if (before !== undefined) return (await loadConfigReader()).parseConfig(before, name);
  }
  const isNew = CONFIG_NAMES.some(name => textOf(name).after !== undefined);
  if (isNew || findConfig(root) === undefined) return ok({});
  const own = (await loadConfigReader()).readConfig(root);
  return own.ok ? ok(own.value.config) : own;
}
