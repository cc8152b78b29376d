/** Writes a drafted plan out as a format of several files, and reads it back by that format's own parser. */

import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { slug } from '../journal/index.ts';
import { type OpenPlan, openPlan, planProblem } from '../plan/index.ts';
import { namesIn, writeAtomic } from '../util/files.ts';
import { freeName } from '../util/free-name.ts';
import { type Failure, fail, ok, type Result } from '../util/result.ts';
import { type SpreadFormat, spread } from './spread.ts';
import { readExtras } from './unread-keys.ts';

/** Where the agent drafts it: one file, which the checks of every new plan are for; gone afterwards. */
export const DRAFT_FILE = '.ralph-plan.json';

export interface SpreadRequest {
  readonly root: string;
  readonly format: SpreadFormat;
  /** A folder from the top of the repository, in place of the usual one. */
  readonly out: string | undefined;
  readonly force: boolean;
}

/** Whether something is in the way that can be told before anything is planned. */
export function refuseSpread({ root, format, out, force }: SpreadRequest): Failure | undefined {
  if (format === 'groups' && out !== undefined) {
    return { reason: 'usage', message: 'the place of groups is docs/ralph', hint: 'Leave --out out.' };
  }
  const taken =
    format === 'groups'
      ? namesIn(join(root, 'docs/ralph/prompts')).some(name => /^group-\d+\.md$/.test(name))
      : out !== undefined && existsSync(join(root, out, format === 'sprint' ? 'SPRINT.yaml' : 'tasks.md'));
  if (!taken || force) return undefined;
  return {
    reason: 'plan-exists',
    message: 'there is a plan already',
    file: out ?? 'docs/ralph',
    hint: 'Write elsewhere with --out FOLDER, or replace it with --force.',
  };
}

export function writeSpread(draft: OpenPlan, request: SpreadRequest): Result<OpenPlan> {
  const { root, format } = request;
  const { items, name } = draft.plan;
  const { project, description } = readExtras(draft.decoded.text);
  const words = { project: project || name, description, items };
  const folder = request.out ?? usualFolder(root, format, slug(words.project) || 'plan');
  const { files, plan } = spread(format, { draft: words, folder });
  if (format === 'groups') removeGroups(join(root, 'docs/ralph/prompts'));
  for (const { path, text } of files) {
    const file = join(root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeAtomic(file, text);
  }
  rmSync(draft.path, { force: true });
  const open = openPlan(join(root, plan));
  if (!open.ok) return open;
  const problem = planProblem(open.value);
  return problem ? fail(problem) : ok(open.value);
}

/** Those of an older plan that is replaced would be run as a part of this one. */
function removeGroups(folder: string): void {
  for (const name of namesIn(folder)) if (/^group-\d+\.md$/.test(name)) rmSync(join(folder, name));
}

function usualFolder(root: string, format: SpreadFormat, name: string): string {
  if (format === 'groups') return 'docs/ralph';
  const base = format === 'sprint' ? 'sprints' : 'specs';
  const taken = namesIn(join(root, base));
  if (format === 'sprint') return `${base}/${freeName(name, free => !taken.includes(free))}`;
  const last = Math.max(0, ...taken.flatMap(each => Number(/^(\d{3})-/.exec(each)?.[1] ?? 0)));
  return `${base}/${String(last + 1).padStart(3, '0')}-${name}`;
}
