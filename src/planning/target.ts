/** Where a new plan is written, and whether something there must not be lost. */
import { basename } from 'node:path';
import { formats, isPromptName, type OpenPlan } from '../plan/index.ts';
import { readBytes } from '../util/files.ts';
import { type Failure, fail, ok, type Result } from '../util/result.ts';
import { plural } from '../util/show.ts';
import { decode } from '../util/text.ts';
import type { PlanTarget } from './brief.ts';

/** The usual file of each format. */
export const USUAL_FILE: Readonly<Record<PlanTarget, string>> = { prd: 'prd.json', checklist: 'PROGRESS.md' };

const EXTENSION: Readonly<Record<PlanTarget, RegExp>> = { prd: /\.json$/i, checklist: /\.(?:md|markdown)$/i };

export interface Target {
  readonly format: PlanTarget;
  readonly out: string;
}

/** Format and file from the two flags, each of which may tell the other. */
export function chooseTarget(wanted: { readonly format?: string; readonly out?: string }): Result<Target> {
  const { format: word, out } = wanted;
  if (word !== undefined && word !== 'prd' && word !== 'checklist') {
    return fail<Failure>({
      reason: 'usage',
      message: `there is no plan format "${word}" to write`,
      hint: 'It is prd, checklist, groups, sprint or speckit.',
    });
  }
  const format = word ?? (out !== undefined && EXTENSION.checklist.test(out) ? 'checklist' : 'prd');
  const file = out ?? USUAL_FILE[format];
  if (EXTENSION[format].test(file) && !isPromptName(basename(file))) return ok({ format, out: file });
  return fail<Failure>({
    reason: 'usage',
    message: `${file} would not be read as a ${format}`,
    hint: format === 'prd' ? 'Its name has to end in .json.' : 'Its name has to end in .md and not begin with PROMPT.',
  });
}

/** A file read as the given format; undefined when there is none. */
export function readTarget(path: string, format: PlanTarget): Result<OpenPlan> | undefined {
  const bytes = readBytes(path);
  const reader = formats.find(({ name }) => name === format);
  if (bytes === undefined || reader === undefined) return undefined;
  const decoded = decode(bytes, path);
  if (!decoded.ok) return decoded;
  const noFiles = { read: () => undefined, isFolder: () => false, list: () => [] };
  const document = reader.parse(decoded.value.text, path, noFiles);
  return ok({ document, plan: document.plan, format: reader, path, decoded: decoded.value, bytes });
}

/** Why the file may not be replaced, if so: it holds open work, or it is not certain that it does not. */
export function refuseToReplace(path: string, target: Target): Failure | undefined {
  const there = readTarget(path, target.format);
  if (there === undefined) return undefined;
  const refusal = (what: string): Failure => ({
    reason: 'plan-exists',
    message: what,
    file: target.out,
    hint: 'Write elsewhere with --out FILE, or replace it with --force.',
  });
  if (!there.ok) return refusal('there is a file already that cannot be read as a plan');
  const { plan, decoded } = there.value;
  if (decoded.text.trim() === '') return undefined;
  if (plan.problems.some(({ level }) => level === 'error'))
    return refusal('there is a file already that is no sound plan');
  const open = plan.items.filter(({ status }) => status !== 'done' && status !== 'skipped');
  if (open.length === 0) return undefined;
  return refusal(`there is a plan already, with ${plural(open.length, 'open item')} in it`);
}
