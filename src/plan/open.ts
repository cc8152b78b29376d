/** Opens plans on disk, by path or in the usual places. */
import { statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { PlanFormat } from '../protocol.ts';
import { namesIn } from '../util/files.ts';
import { otherKind, wrongKind } from '../util/regular.ts';
import { type Failure, fail, ok, type Result } from '../util/result.ts';
import { nearest } from '../util/suggest.ts';
import { encode } from '../util/text.ts';
import { diskFiles, type Kind, kindOf } from './disk.ts';
import { prompt } from './prompt.ts';
import { type Located, locate, MAX_BYTES, type OpenPlan, openFile, readPlan, readPlanFile } from './read-file.ts';
import { searchIn } from './search.ts';
import { WORTH_COUNTING } from './too-many.ts';

export interface OpenOptions {
  readonly at?: number;
  /** The caller's own formats, tried before the built-in ones. */
  readonly formats?: readonly PlanFormat[];
  /** The folder that shown paths are relative to, for a person who has to choose. */
  readonly from?: string;
}

/** The plan at a path: a file, or a folder that is a plan or contains one in a known place. */
export function openPlan(path: string, { at = Date.now(), formats: own = [] }: OpenOptions = {}): Result<OpenPlan> {
  const kind = kindOf(path);
  if (kind === 'missing') return createdAt(path, { at, formats: own }) ?? fail(missing(path));
  // Refuse an oversized file before any format reads it.
  const large = kind === 'file' && isLarge(path) ? readPlanFile(path) : undefined;
  if (large && !large.ok && large.error.reason === 'plan-too-many') return large;
  const known = kind === 'other' ? undefined : locate(path, own);
  const chosen = known === undefined && kind === 'folder' ? searchIn(path) : undefined;
  if (chosen && 'reason' in chosen) return fail(chosen);
  const found = known ?? locate(chosen?.path, own);
  if (found === undefined) return fail(noPlan(path, kind));
  const { file, format } = found;
  if (format.create && kindOf(file) === 'missing') return create(found, at);
  return openFile(file, format, large?.ok && file === path ? large.value : undefined);
}

/** The first plan in the usual places. Its file is read only once, although the search looks into it. */
export function openPlanIn(
  root: string,
  { formats: own = [], from = root }: OpenOptions = {},
): Result<OpenPlan> | undefined {
  // One of the caller's formats may recognise the folder; built-in formats are searched for in their usual places.
  if (own.some(format => format.find(root, diskFiles) !== undefined)) return openPlan(root, { formats: own });
  const found = searchIn(root, from);
  if (found === undefined) return undefined;
  if ('reason' in found) return fail(found);
  const { open } = found;
  const located = locate(found.path, own);
  return open && located?.file === found.path && located.format === open.format
    ? ok(open)
    : openPlan(found.path, { formats: own });
}

/** A plan without a file yet: a text that a person gave on the command line. */
export function planOfWords(path: string, text: string): Result<OpenPlan> {
  const opened = readPlan({ path, format: prompt, bytes: encode({ text, encoding: 'utf8' }) });
  return opened.ok ? ok({ ...opened.value, created: true }) : opened;
}
const isLarge = (path: string): boolean => {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  return size > WORTH_COUNTING && size <= MAX_BYTES;
};

/** A state file that is not there, of a plan that is: git may ignore it, and a run in a worktree has the only one. */
function createdAt(path: string, { at, formats }: Required<Pick<OpenOptions, 'at' | 'formats'>>) {
  const found = locate(path, formats);
  const created = found?.format.create && found.file === path ? create(found, at) : undefined;
  return created?.ok ? created : undefined;
}

function create({ file, format }: Located, at: number): Result<OpenPlan> {
  const text = format.create?.(file, diskFiles, at) ?? ok('');
  if (!text.ok) return fail({ file, ...text.error });
  const bytes = encode({ text: text.value, encoding: 'utf8' });
  const opened = readPlan({ path: file, format, bytes });
  return opened.ok ? ok({ ...opened.value, created: true }) : opened;
}

function missing(path: string): Failure {
  const near = nearest(basename(path), namesIn(dirname(path)).toSorted());
  return {
    reason: 'plan-not-found',
    message: 'there is no such file',
    file: path,
    hint:
      near === undefined
        ? 'Name a plan: a prd.json, a Markdown checklist, a sprint folder or a PROMPT.md.'
        : `Did you mean ${join(dirname(path), near)}?`,
  };
}

function noPlan(path: string, kind: Kind): Failure {
  const found = kind === 'other' ? otherKind(path, 'file', 'followed') : undefined;
  if (found !== undefined) return { ...wrongKind(path, found, 'file'), reason: 'not-a-plan' };
  if (kind !== 'folder') {
    return {
      reason: 'not-a-plan',
      message: 'no plan format knows this kind of file',
      file: path,
      hint: 'A plan is a prd.json, a Markdown checklist, a sprint folder or a PROMPT.md.',
    };
  }
  const near = namesIn(path)
    .toSorted()
    .filter(name => /\.(?:json|md|txt)$/i.test(name))
    .slice(0, 5);
  return {
    reason: 'not-a-plan',
    message: 'there is no plan in this folder',
    file: path,
    hint:
      near.length > 0
        ? `It has ${near.join(', ')}: name one of them.`
        : 'Put a prd.json, a Markdown checklist, a SPRINT.yaml or a PROMPT.md into it.',
  };
}
