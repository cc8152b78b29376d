/** The scenario of the scripted agent: parsed by hand, because this program's start-up is part of every demo and test. */

import { isRecord } from '../util/json.ts';
import { fail, ok, type Result } from '../util/result.ts';
import { problem, readSteps, type Spot, type Step } from './scenario-steps.ts';

export type { Step } from './scenario-steps.ts';

export type ScriptedClaim =
  | { readonly type: 'done' }
  | { readonly type: 'promise' }
  | { readonly type: 'blocked'; readonly why: string }
  | { readonly type: 'question'; readonly text: string }
  | { readonly type: 'none' };

/** What one process does for its item. */
export interface Entry {
  readonly steps: readonly Step[];
  readonly claim: ScriptedClaim;
  readonly message: string;
}

/** What one reviewer does and says. */
export interface ReviewEntry {
  readonly steps: readonly Step[];
  readonly verdict: 'pass' | 'needs-fix' | 'none';
  readonly findings: readonly string[];
  readonly message: string;
}

export interface Scenario {
  /** By item id; `*` stands for every item that is not named. One entry per process, the last one repeats. */
  readonly items: ReadonlyMap<string, readonly Entry[]>;
  /** The same for reviewers: one entry for each review of the item. */
  readonly reviews: ReadonlyMap<string, readonly ReviewEntry[]>;
}

const TOP_KEYS = ['items', 'reviews'];
const ENTRY_KEYS = ['steps', 'claim', 'message'];
const REVIEW_KEYS = ['steps', 'verdict', 'findings', 'message'];

/** A parsed document to a scenario, or the first thing that is wrong with it. */
export function readScenario(document: unknown, file: string): Result<Scenario> {
  const top: Spot = { file, path: '' };
  if (!isRecord(document)) return fail(problem(top, 'a scenario is a mapping with the key "items"'));
  const stray = Object.keys(document).find(key => !TOP_KEYS.includes(key));
  if (stray !== undefined) return fail(problem(top, `unknown key "${stray}"`, { word: stray, known: TOP_KEYS }));
  const items = readNamed(document.items, { file, path: 'items' }, readEntry);
  if (!items.ok) return items;
  const reviews = readNamed(document.reviews ?? {}, { file, path: 'reviews' }, readReviewEntry);
  return reviews.ok ? ok({ items: items.value, reviews: reviews.value }) : reviews;
}

type EntryReader<T> = (value: unknown, spot: Spot) => Result<T>;

function readNamed<T>(
  named: unknown,
  { file, path }: Spot,
  read: EntryReader<T>,
): Result<ReadonlyMap<string, readonly T[]>> {
  if (!isRecord(named)) return fail(problem({ file, path }, 'has to be a mapping from item ids to entries'));
  const all = new Map<string, readonly T[]>();
  for (const [id, value] of Object.entries(named)) {
    const entries = readEntries(value, { file, path: `${path}.${id}` }, read);
    if (!entries.ok) return entries;
    all.set(id, entries.value);
  }
  return ok(all);
}

/** The entry for this process; undefined when the scenario says nothing about the item. */
export function entryFor<T>(named: ReadonlyMap<string, readonly T[]>, item: string, nth: number): T | undefined {
  const entries = named.get(item) ?? named.get('*');
  return entries?.[Math.min(Math.max(1, nth), entries.length) - 1];
}

function readEntries<T>(value: unknown, spot: Spot, read: EntryReader<T>): Result<readonly T[]> {
  const list = Array.isArray(value) ? value : [value];
  if (list.length === 0) return fail(problem(spot, 'has no entry'));
  const entries: T[] = [];
  for (const [index, each] of list.entries()) {
    const entry = read(each, { file: spot.file, path: `${spot.path}[${index}]` });
    if (!entry.ok) return entry;
    entries.push(entry.value);
  }
  return ok(entries);
}

function readEntry(value: unknown, spot: Spot): Result<Entry> {
  const common = readCommon(value, spot, ENTRY_KEYS);
  if (!common.ok) return common;
  const { fields, ...rest } = common.value;
  const claim = readClaimWord(fields['claim'] ?? 'done', { file: spot.file, path: `${spot.path}.claim` });
  return claim.ok ? ok({ ...rest, claim: claim.value }) : claim;
}

function readReviewEntry(value: unknown, spot: Spot): Result<ReviewEntry> {
  const common = readCommon(value, spot, REVIEW_KEYS);
  if (!common.ok) return common;
  const { fields, ...rest } = common.value;
  const { findings = [] } = fields;
  if (!Array.isArray(findings) || !findings.every(each => typeof each === 'string'))
    return fail(problem({ file: spot.file, path: `${spot.path}.findings` }, 'has to be a list of texts'));
  const verdict = fields['verdict'] ?? (findings.length > 0 ? 'needs-fix' : 'pass');
  if (verdict !== 'pass' && verdict !== 'needs-fix' && verdict !== 'none')
    return fail(problem({ file: spot.file, path: `${spot.path}.verdict` }, 'has to be pass, needs-fix or none'));
  return ok({ ...rest, verdict, findings });
}

interface Common {
  readonly steps: readonly Step[];
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

function readCommon(value: unknown, spot: Spot, known: readonly string[]): Result<Common> {
  if (!isRecord(value)) return fail(problem(spot, `an entry is a mapping with ${known.join(', ')}`));
  const stray = Object.keys(value).find(key => !known.includes(key));
  if (stray !== undefined) return fail(problem(spot, `unknown key "${stray}"`, { word: stray, known }));
  const steps = readSteps(value.steps ?? [], { file: spot.file, path: `${spot.path}.steps` });
  if (!steps.ok) return steps;
  const message = value.message ?? '';
  if (typeof message !== 'string')
    return fail(problem({ file: spot.file, path: `${spot.path}.message` }, 'has to be text'));
  return ok({ steps: steps.value, message, fields: value });
}

function readClaimWord(value: unknown, spot: Spot): Result<ScriptedClaim> {
  if (value === 'done' || value === 'promise' || value === 'none') return ok({ type: value });
  const { blocked, question } = isRecord(value) && Object.keys(value).length === 1 ? value : {};
  if (typeof blocked === 'string') return ok({ type: 'blocked', why: blocked });
  if (typeof question === 'string') return ok({ type: 'question', text: question });
  return fail(problem(spot, 'has to be done, promise, none, {blocked: "<why>"} or {question: "<text>"}'));
}
