/** Makes a repository ready for a first run from what was found and chosen. */
import type { FormatName } from '../protocol.ts';
import { ok, type Result } from '../util/result.ts';
import { configText } from './config-text.ts';
import { starterPlan } from './starter-plan.ts';
import type { Survey } from './survey.ts';
import { ignore, type Written, writeNew } from './write-new.ts';

export interface Choices {
  readonly format: FormatName;
  readonly agent: string | undefined;
  readonly gates: readonly string[];
}

export interface SetUp {
  readonly written: readonly Written[];
  readonly plan: string;
  /** New files with an example in them. */
  readonly edit: readonly string[];
  /** Relative to the root. */
  readonly config: string;
  /** The config names the plan. */
  readonly configured: boolean;
}

export interface SetUpRequest {
  readonly root: string;
  readonly found: Survey;
  readonly choices: Choices;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** Writes config, plan and ignore lines; nothing that is there is overwritten. */
export function setUp({ root, found, choices, at }: SetUpRequest): Result<SetUp> {
  const { format, agent, gates } = choices;
  const starter = starterPlan(format, { project: found.project, language: found.language, gates, at });
  const theirs = found.plan?.format === format ? found.plan : undefined;
  const plan = theirs?.path ?? starter.plan;
  const config = found.config === undefined ? { 'ralph.yaml': configText({ plan, agent, gates }) } : {};
  const files = writeNew(root, { ...config, ...(theirs ? {} : starter.files) });
  if (!files.ok) return files;
  // A plan inside .ralph/ is meant to be seen by git; the folder ignores the rest of itself.
  const own = plan.startsWith('.ralph/') ? [] : ['.ralph/'];
  const ignored = ignore(root, [...own, ...starter.ignore]);
  if (!ignored.ok) return ignored;
  const kept: readonly Written[] = [found.config?.path, theirs?.path].flatMap(path =>
    path === undefined ? [] : [{ path, outcome: 'kept' as const }],
  );
  const written = [...files.value, ...kept, ignored.value];
  const fresh = new Set(written.flatMap(({ path, outcome }) => (outcome === 'new' ? [path] : [])));
  return ok({
    written,
    plan,
    edit: starter.edit.filter(path => fresh.has(path)),
    config: found.config?.path ?? 'ralph.yaml',
    configured: found.config === undefined || (theirs !== undefined && found.config.namesPlan),
  });
}
