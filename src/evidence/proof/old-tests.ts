/** Judges the base's own tests on the new code: an oracle that the change cannot edit. */
import { goneNames, type Look, mentioned, names, quote, some, subjectOf } from '../../audit/index.ts';
import type { TestResults } from '../results/tally.ts';
import type { ProofFound } from './finding.ts';
import { idMatcher, sameFile } from './match.ts';

export interface OldRed {
  readonly gate: string;
  /** Undefined if the output could not be read. */
  readonly results: TestResults | undefined;
}

/**
 * A test or file that the item names may be changed. Failing tests of removed code, or of something that the item asks to change, are only
 * warnings, because a person should look at them.
 */
export function judgeOldTests(look: Look, red: readonly OldRed[]): readonly ProofFound[] {
  const placed = red
    .flatMap(({ results }) => [...(results?.failures ?? []), ...(results?.notLoaded ?? [])])
    .map(id => place(look, id));
  const open = placed.filter(({ path, name }) => !(path !== undefined && names(look, path)) && !speaksOf(look, name));
  if (placed.length > 0 && open.length === 0) return [];
  const [first] = open;
  const softened = open.length > 0 && open.every(({ gone, path }) => gone !== undefined || asksForChange(look, path));
  const which =
    open.length > 0
      ? some([...new Set(open.map(({ id }) => quote(id, 120)))])
      : `gate ${some(red.map(({ gate }) => gate))}`;
  const files = [...new Set(open.flatMap(({ path }) => path ?? []))];
  const where = files.length > 0 ? ` (${some(files)})` : '';
  const message = softened
    ? `the base's own tests fail on the new code, as what they are about was to change: ${which}${where}`
    : `the base's own tests fail on the new code: ${which}${where}; keep what they ask for, or let the item name what changes`;
  const path = first?.path;
  return [{ rule: 'old-tests', level: softened ? 'warn' : 'block', message, ...(path !== undefined && { path }) }];
}

interface PlacedId {
  readonly id: string;
  readonly name: string;
  readonly path: string | undefined;
  /** A removed name that the test mentions. */
  readonly gone: string | undefined;
}

function place(look: Look, id: string): PlacedId {
  const { defined } = goneNames(look);
  for (const file of look.files) {
    const test = file.before.tests.find(({ name }) => idMatcher({ path: file.path, name })(id));
    if (test)
      return {
        id,
        name: test.name,
        path: file.path,
        gone: mentioned(defined, `${test.code} ${test.head} ${test.group}`),
      };
  }
  const file = look.files.find(({ path }) => sameFile(id, path));
  const gone = file && mentioned(defined, file.before.code);
  return { id: file?.path ?? id, name: '', path: file?.path, gone };
}

/** Whether the item mentions the test by its title; a single short word could be a coincidence. */
const speaksOf = ({ words }: Look, name: string): boolean =>
  name.length >= 6 && /[\s_]/.test(name) && words.includes(name.toLowerCase());

const CHANGE =
  /\b(?:chang(?:e|es|ed|ing)|replac\w+|renam\w+|remov\w+|instead|no longer|rather than|not any ?more|switch\w*|migrat\w+|deprecat\w+|drop(?:s|ped)?|become[s]?|from .{1,40} to)\b/;

/** The item mentions the test's subject (`cart` in `cart.test.js`) and a change. */
function asksForChange({ words }: Look, path: string | undefined): boolean {
  const subject = path === undefined ? '' : subjectOf(path).toLowerCase();
  return subject.length >= 3 && CHANGE.test(words) && words.includes(subject);
}
