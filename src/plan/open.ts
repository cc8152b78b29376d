/** Plans on disk: the only file of this room that reads one. Nothing here writes. */
import { statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type {
  ItemStatus,
  Mark,
  NewItem,
  Plan,
  PlanFiles,
  PlanFormat,
  PlanPlace,
  Problem,
  ReviewMark,
} from '../protocol.ts';
import { namesIn, readBytes } from '../util/files.ts';
import { otherKind, wrongKind } from '../util/regular.ts';
import { type Failure, fail, ok, type Result } from '../util/result.ts';
import { showBytes } from '../util/show.ts';
import { nearest } from '../util/suggest.ts';
import { type Decoded, decode, encode } from '../util/text.ts';
import { checklist } from './checklist.ts';
import { candidateOf, severalPlans } from './choose.ts';
import { withDoubts } from './doubts.ts';
import { ecosystems } from './ecosystems/all.ts';
import { currentFeature, ecosystemPlaces } from './ecosystems/places.ts';
import { type Edit, editsBetween } from './edit.ts';
import { groups } from './groups.ts';
import { pickNext, tally } from './next.ts';
import { prd } from './prd.ts';
import { isPromptName, prompt } from './prompt.ts';
import { sprint } from './sprint.ts';
import { tooMany, WORTH_COUNTING } from './too-many.ts';
import { tracker } from './tracker/format.ts';

/** Every format, the most particular first: the first that finds itself in a path reads it. */
export const formats: readonly PlanFormat[] = [tracker, sprint, groups, ...ecosystems, prd, checklist, prompt];

/**
 * Where a plan is looked for when none is named: prd.json and its usual homes, then the JSON names that may also be
 * something else (only with items in them), groups, a sprint, then checklists (only with boxes in them).
 */
const PLACES: readonly string[] = [
  'prd.json',
  'scripts/ralph/prd.json',
  '.ralph/prd.json',
  'plans/prd.json',
  'plan.json',
  'tasks.json',
  '.ralph/tasks.json',
  'feature_list.json',
  'docs/ralph',
  'PROGRESS.yaml',
  'SPRINT.yaml',
  'PROGRESS.md',
  'IMPLEMENTATION_PLAN.md',
  'fix_plan.md',
  '@fix_plan.md',
  '.ralph/PROGRESS.md',
  '.ralph/IMPLEMENTATION_PLAN.md',
  '.ralph/fix_plan.md',
  '.ralph/@fix_plan.md',
];

/** Then the plans of other tools, and after those what need not be meant for an agent at all. */
const LAST_PLACES: readonly string[] = ['specs/IMPLEMENTATION_PLAN.md', 'TODO.md', 'PROMPT.md', '.ralph/PROMPT.md'];

/** No plan of a person's is larger; a log or a device given by mistake is. */
const MAX_BYTES = 64 * 1024 * 1024;

/** A plan that was read, with the bytes it was read from. */
export interface OpenPlan {
  readonly plan: Plan;
  readonly format: PlanFormat;
  /** The file that holds the state. */
  readonly path: string;
  readonly decoded: Decoded;
  readonly bytes: Buffer;
  /** The file is not there yet: these bytes are the first it will have, and the runner writes them. */
  readonly created?: true;
}

export interface OpenOptions {
  readonly at?: number;
  /** Formats of the caller's own, asked before the built-in ones. */
  readonly formats?: readonly PlanFormat[];
  /** Where the person is that may have to choose: paths are shown from there. */
  readonly from?: string;
}

/** The plan at a path: a file, or a folder that is one or holds one in a known place. */
export function openPlan(path: string, { at = Date.now(), formats: own = [] }: OpenOptions = {}): Result<OpenPlan> {
  const kind = kindOf(path);
  if (kind === 'missing') return fail(missing(path));
  // Before any format looks into it.
  const refused = kind === 'file' && isLarge(path) ? tooMany(diskFiles.read(path) ?? '', path) : undefined;
  if (refused) return fail(refused);
  const known = kind === 'other' ? undefined : locate(path, own);
  const chosen = known === undefined && kind === 'folder' ? searchIn(path) : undefined;
  if (chosen && 'reason' in chosen) return fail(chosen);
  const found = known ?? locate(chosen?.path, own);
  if (found === undefined) return fail(noPlan(path, kind));
  const { file, format } = found;
  return format.create && kindOf(file) === 'missing' ? create(found, at) : openFile(file, format);
}

/** The first plan in the places where people keep one. It is read once, although it is looked into to be found. */
export function openPlanIn(
  root: string,
  { formats: own = [], from = root }: OpenOptions = {},
): Result<OpenPlan> | undefined {
  // One of the caller's own may know the folder; the built-in ones are looked for in their places.
  if (own.some(format => format.find(root, diskFiles) !== undefined)) return openPlan(root, { formats: own });
  const found = searchIn(root, from);
  if (found === undefined) return undefined;
  if ('reason' in found) return fail(found);
  const located = locate(found.path, own);
  const { bytes } = found;
  if (bytes === undefined || bytes.length > MAX_BYTES || located?.file !== found.path)
    return openPlan(found.path, { formats: own });
  return read({ path: located.file, format: located.format, bytes });
}

/** A plan whose file is not there yet: words that a person gave on the command line. */
export function planOfWords(path: string, text: string): Result<OpenPlan> {
  const opened = read({ path, format: prompt, bytes: encode({ text, encoding: 'utf8' }) });
  return opened.ok ? ok({ ...opened.value, created: true }) : opened;
}
const isLarge = (path: string): boolean => {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  return size > WORTH_COUNTING && size <= MAX_BYTES;
};

interface Located {
  /** The file that holds the state; it may be another than the path, and may not be there yet. */
  readonly file: string;
  readonly format: PlanFormat;
}

function locate(path: string | undefined, own: readonly PlanFormat[]): Located | undefined {
  if (path === undefined) return undefined;
  for (const format of [...own, ...formats]) {
    const file = format.find(path, diskFiles);
    if (file !== undefined) return { file, format };
  }
  return undefined;
}

function create({ file, format }: Located, at: number): Result<OpenPlan> {
  const text = format.create?.(file, diskFiles, at) ?? ok('');
  if (!text.ok) return fail({ file, ...text.error });
  const bytes = encode({ text: text.value, encoding: 'utf8' });
  const opened = read({ path: file, format, bytes });
  return opened.ok ? ok({ ...opened.value, created: true }) : opened;
}

function openFile(file: string, format: PlanFormat): Result<OpenPlan> {
  const size = statSync(file, { throwIfNoEntry: false });
  if (size && size.size > MAX_BYTES) {
    return fail<Failure>({
      reason: 'plan-too-large',
      message: `the file is ${showBytes(size.size)}, too large for a plan`,
      file,
      hint: `A plan may have up to ${showBytes(MAX_BYTES)}. Split it into several files, and run one after the other.`,
    });
  }
  const bytes = readBytes(file);
  if (bytes === undefined) {
    return fail<Failure>({
      reason: 'plan-unreadable',
      message: 'the file cannot be read',
      file,
      hint: 'Check its permissions.',
    });
  }
  return read({ path: file, format, bytes });
}

/** The same plan from other bytes: what the agent left, or what a person changed. */
export function reparse(open: OpenPlan, bytes: Buffer): Result<OpenPlan> {
  return read({ path: open.path, format: open.format, bytes });
}

const placeOf = ({ path }: OpenPlan): PlanPlace => ({ path, files: diskFiles });

/** The bytes of the plan with an item marked. Writing them is the caller's business. */
export function markPlan(open: OpenPlan, mark: Mark): Result<Buffer> {
  return rewrite(open, text => open.format.mark(text, mark, placeOf(open)));
}

/** Other files that a mark is written into, where items have files of their own. Writing them is the caller's business. */
export function markedFiles(
  open: OpenPlan,
  mark: Mark,
): Result<readonly { readonly path: string; readonly bytes: Buffer }[]> {
  const marked = open.format.markFiles?.(mark, placeOf(open)) ?? ok([]);
  if (!marked.ok) return marked;
  return ok(marked.value.map(({ path, text }) => ({ path, bytes: encode({ text, encoding: encodingOf(path) }) })));
}

function encodingOf(path: string): Decoded['encoding'] {
  const bytes = readBytes(path);
  const decoded = bytes && decode(bytes, path);
  return decoded?.ok ? decoded.value.encoding : 'utf8';
}

/** The bytes of the plan with an item more. */
export function appendToPlan(open: OpenPlan, item: NewItem): Result<Buffer> {
  return rewrite(open, text => open.format.append(text, item, placeOf(open)));
}

/** The bytes of the plan with what a review said; undefined where its format has no place for that. */
export function reviewPlan(open: OpenPlan, mark: ReviewMark): Result<Buffer> | undefined {
  const { format } = open;
  if (!format.review) return undefined;
  return rewrite(open, text => format.review?.(text, mark) ?? ok(text));
}

/** The first plan in the places where people keep one, as a path under `root`; none where a person has to choose. */
export function findPlan(root: string): string | undefined {
  const found = searchIn(root);
  return found && 'path' in found ? found.path : undefined;
}

interface FoundPlan {
  readonly path: string;
  /** Of a file that was looked into. */
  readonly bytes?: Buffer;
}

function searchIn(root: string, from = root): FoundPlan | Failure | undefined {
  const first = firstOf(root, PLACES);
  if (first) return first;
  const others = ecosystemPlaces(root, diskFiles).flatMap(path => {
    const open = openPlan(path);
    return open.ok ? [candidateOf(open.value)] : [];
  });
  const working = others.filter(({ work }) => work);
  const current = currentFeature(root, diskFiles);
  const meant = working.find(({ open }) => open.path === current) ?? (working.length === 1 ? working[0] : undefined);
  if (meant) return { path: meant.open.path };
  if (working.length > 1) return severalPlans(working, from);
  const path = others.at(-1)?.open.path;
  return firstOf(root, LAST_PLACES) ?? (path === undefined ? undefined : { path });
}

function firstOf(root: string, places: readonly string[]): FoundPlan | undefined {
  for (const place of places) {
    const found = planAt(join(root, place));
    if (found) return found;
  }
  return undefined;
}

function planAt(path: string): FoundPlan | undefined {
  const kind = kindOf(path);
  if (kind === 'folder') return groups.find(path, diskFiles) === undefined ? undefined : { path };
  // A pipe by the name of a plan is somebody's plan gone wrong: opening it says so.
  if (kind === 'other') return { path };
  if (kind !== 'file') return undefined;
  const name = basename(path);
  if (name === 'prd.json' || name === 'SPRINT.yaml' || isPromptName(name)) return { path };
  const bytes = readBytes(path);
  const decoded = bytes && decodeOnce(bytes, path);
  if (!bytes || !decoded?.ok) return undefined;
  // Opening it says that it is too long.
  if (tooMany(decoded.value.text, path)) return { path, bytes };
  const format = name.endsWith('.json') ? prd : name.endsWith('.yaml') ? sprint : checklist;
  const plan = format.parse(decoded.value.text, path, noFiles);
  // A plan without items has an error that says so.
  return plan.error === undefined || plan.ids.length > 0 ? { path, bytes } : undefined;
}

/** What `ralph check --json` prints. */
export interface CheckReport {
  readonly format: Plan['format'];
  readonly path: string;
  readonly items: readonly {
    readonly id: string;
    readonly title: string;
    readonly status: ItemStatus;
    readonly priority: number | null;
    readonly dependsOn: readonly string[];
    readonly line: number;
  }[];
  readonly next: string | null;
  readonly done: number;
  readonly total: number;
  readonly problems: readonly Problem[];
}

/** A plan as it stands in its file; with an error in it there is no next item. */
export function checkReport({ plan, path }: OpenPlan): CheckReport {
  const { next } = pickNext({ items: plan.items, status: item => item.status });
  const { done, total } = tally(plan.items);
  return {
    format: plan.format,
    path,
    items: plan.items.map(({ id, title, status, priority, dependsOn, line }) => ({
      id,
      title,
      status,
      priority: priority ?? null,
      dependsOn,
      line,
    })),
    next: plan.error ? null : (next?.id ?? null),
    done,
    total,
    problems: plan.problems,
  };
}

function read({ path, format, bytes }: Pick<OpenPlan, 'path' | 'format' | 'bytes'>): Result<OpenPlan> {
  const decoded = decodeOnce(bytes, path);
  if (!decoded.ok) return decoded;
  const refused = tooMany(decoded.value.text, path);
  if (refused) return fail(refused);
  const { text } = decoded.value;
  const plan = withDoubts(format.parse(text, path, diskFiles), { text, files: diskFiles });
  return ok({ plan, format, path, decoded: decoded.value, bytes });
}

function rewrite(open: OpenPlan, change: (text: string) => Result<string>): Result<Buffer> {
  const { bytes, decoded } = open;
  const changed = change(decoded.text);
  if (!changed.ok) return fail({ ...changed.error, file: open.path });
  const edits = isAscii(open) ? editsBetween(decoded.text, changed.value) : undefined;
  return ok(edits ? spliced(bytes, edits) : encode({ text: changed.value, encoding: decoded.encoding }));
}

/** Every character is one byte. */
const isAscii = ({ bytes, decoded: { text, encoding } }: OpenPlan): boolean =>
  encoding === 'utf8' && bytes.length === text.length;

/** To encode a long text takes longer than all the rest of a mark in it. */
function spliced(bytes: Buffer, edits: readonly Edit[]): Buffer {
  const pieces: Buffer[] = [];
  let at = 0;
  for (const { start, end, text } of edits) {
    pieces.push(bytes.subarray(at, start), Buffer.from(text));
    at = end;
  }
  return Buffer.concat([...pieces, bytes.subarray(at)]);
}

let last: { readonly bytes: Buffer; readonly decoded: Decoded } | undefined;

/** A plan that was looked for is opened next, and its text is then the very one that was parsed. */
function decodeOnce(bytes: Buffer, path: string): Result<Decoded> {
  if (last?.bytes.equals(bytes)) return ok(last.decoded);
  const decoded = decode(bytes, path);
  if (decoded.ok) last = { bytes, decoded: decoded.value };
  return decoded;
}

/** The files there are. */
export const diskFiles: PlanFiles = {
  read: path => {
    const bytes = kindOf(path) === 'file' ? readBytes(path) : undefined;
    const decoded = bytes && decodeOnce(bytes, path);
    return decoded?.ok ? decoded.value.text : undefined;
  },
  isFolder: path => kindOf(path) === 'folder',
  list: namesIn,
};

const noFiles: PlanFiles = { read: () => undefined, isFolder: () => false, list: () => [] };

type Kind = 'file' | 'folder' | 'missing' | 'other';

function kindOf(path: string): Kind {
  try {
    // An error for each of the many places where no plan is would cost more than the look itself.
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined) return 'missing';
    if (found.isFile()) return 'file';
    return found.isDirectory() ? 'folder' : 'other';
  } catch {
    return 'missing';
  }
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
