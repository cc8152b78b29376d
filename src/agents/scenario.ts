/** The scenario of the scripted agent: parsed by hand, because this program's start-up is part of every demo and test. */

import { fail, ok, type Result } from '../util/result.ts';
import { isRecord } from './json-lines.ts';
import { problem, readSteps, type Spot, type Step } from './scenario-steps.ts';

export type { Step } from './scenario-steps.ts';

export type ScriptedClaim =
  | { readonly type: 'done' }
  | { readonly type: 'promise' }
  | { readonly type: 'blocked'; readonly why: string }
  | { readonly type: 'none' };

/** What one process does for its item. */
export interface Entry {
  readonly steps: readonly Step[];
  readonly claim: ScriptedClaim;
  readonly message: string;
}

export interface Scenario {
  /** By item id; `*` stands for every item that is not named. One entry per process, the last one repeats. */
  readonly items: ReadonlyMap<string, readonly Entry[]>;
}

const ENTRY_KEYS = ['steps', 'claim', 'message'];

/** A parsed document to a scenario, or the first thing that is wrong with it. */
export function readScenario(document: unknown, file: string): Result<Scenario> {
  const top: Spot = { file, path: '' };
  if (!isRecord(document)) return fail(problem(top, 'a scenario is a mapping with the key "items"'));
  const stray = Object.keys(document).find(key => key !== 'items');
  if (stray !== undefined) return fail(problem(top, `unknown key "${stray}"; the only key here is "items"`));
  const named = document.items;
  if (!isRecord(named)) return fail(problem({ file, path: 'items' }, 'has to be a mapping from item ids to entries'));
  const items = new Map<string, readonly Entry[]>();
  for (const [id, value] of Object.entries(named)) {
    const entries = readEntries(value, { file, path: `items.${id}` });
    if (!entries.ok) return entries;
    items.set(id, entries.value);
  }
  return ok({ items });
}

/** The entry for this process; undefined when the scenario says nothing about the item. */
export function entryFor(scenario: Scenario, item: string, nth: number): Entry | undefined {
  const entries = scenario.items.get(item) ?? scenario.items.get('*');
  return entries?.[Math.min(Math.max(1, nth), entries.length) - 1];
}

function readEntries(value: unknown, spot: Spot): Result<readonly Entry[]> {
  const list = Array.isArray(value) ? value : [value];
  if (list.length === 0) return fail(problem(spot, 'has no entry'));
  const entries: Entry[] = [];
  for (const [index, each] of list.entries()) {
    const entry = readEntry(each, { file: spot.file, path: `${spot.path}[${index}]` });
    if (!entry.ok) return entry;
    entries.push(entry.value);
  }
  return ok(entries);
}

function readEntry(value: unknown, spot: Spot): Result<Entry> {
  if (!isRecord(value)) return fail(problem(spot, `an entry is a mapping with ${ENTRY_KEYS.join(', ')}`));
  const stray = Object.keys(value).find(key => !ENTRY_KEYS.includes(key));
  if (stray !== undefined) return fail(problem(spot, `unknown key "${stray}"`, { word: stray, known: ENTRY_KEYS }));
  const steps = readSteps(value.steps ?? [], { file: spot.file, path: `${spot.path}.steps` });
  if (!steps.ok) return steps;
  const claim = readClaimWord(value.claim ?? 'done', { file: spot.file, path: `${spot.path}.claim` });
  if (!claim.ok) return claim;
  const message = value.message ?? '';
  if (typeof message !== 'string')
    return fail(problem({ file: spot.file, path: `${spot.path}.message` }, 'has to be text'));
  return ok({ steps: steps.value, claim: claim.value, message });
}

function readClaimWord(value: unknown, spot: Spot): Result<ScriptedClaim> {
  if (value === 'done' || value === 'promise' || value === 'none') return ok({ type: value });
  const why = isRecord(value) && Object.keys(value).length === 1 ? value.blocked : undefined;
  if (typeof why === 'string') return ok({ type: 'blocked', why });
  return fail(problem(spot, 'has to be done, promise, none or {blocked: "<why>"}'));
}
