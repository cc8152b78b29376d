/** Runs new and changed tests on the base: a test that passes there proves nothing about the change. */

import {
  compareTests,
  type Look,
  type LookFile,
  type Placed,
  productionLines,
  quote,
  some,
} from '../../audit/index.ts';
import type { TestProof } from '../../protocol.ts';
import type { TestResults } from '../results/tally.ts';
import type { ProofFound } from './finding.ts';
import { idMatcher, sameFile } from './match.ts';
import { isTestSide } from './sides.ts';

/**
 * Tests that are new, or whose body or table changed. A test file in which no single tests can be recognized, because an unknown function
 * creates them, counts as one test with the name of the file.
 */
export function writtenTests(look: Look): readonly Placed[] {
  const { pairs, fresh } = compareTests(look);
  const changed = pairs.filter(
    ({ before, after }) => before.test.code !== after.test.code || before.test.head !== after.test.head,
  );
  const read = [...fresh, ...changed.map(({ after }) => after)].filter(({ test }) => test.skip === 'no');
  const unread = look.files.filter(
    file => file.role === 'test' && file.after.tests.length === 0 && file.added.some(({ code }) => /\w/.test(code)),
  );
  return [...read, ...unread.map(asOneTest)];
}

const asOneTest = (file: LookFile): Placed => ({
  file,
  test: {
    name: file.path,
    group: '',
    line: 1,
    skip: 'no',
    focus: false,
    head: '',
    code: file.after.code,
    bare: file.after.bare,
    bodyLine: 1,
    cases: 0,
  },
});

/** The result of one gate on the base with the new tests. `results` is undefined if its output could not be read. */
export interface OnBase {
  readonly green: boolean;
  readonly results: TestResults | undefined;
}

/** A test inside a production file cannot run without that code: a weak proof, which mutants have to confirm. */
export function proveTests(written: readonly Placed[], onBase: readonly OnBase[]): readonly TestProof[] {
  return written.map(({ file, test }) => {
    const where = { path: file.path, test: test.name, line: test.line };
    // The failing tests of this file cannot be told apart from others, so a red base is the only sign.
    if (test.name === file.path) return { ...where, proof: onBase.every(({ green }) => green) ? 'vacuous' : 'weak' };
    const matches = idMatcher({ path: file.path, name: test.name });
    return { ...where, proof: isTestSide(file) ? judge(file.path, matches, onBase) : 'weak' };
  });
}

function judge(path: string, matches: (id: string) => boolean, onBase: readonly OnBase[]): TestProof['proof'] {
  const read = onBase.flatMap(({ results }) => results ?? []);
  if (read.some(({ failures }) => failures.some(matches))) return 'proven';
  if (read.some(({ notLoaded }) => notLoaded.some(named => isUnloaded(named, path)))) return 'weak';
  if (read.some(({ ids }) => [...(ids ?? [])].some(([id, status]) => status === 'passed' && matches(id))))
    return 'vacuous';
  if (onBase.every(({ green }) => green)) return 'vacuous';
  // A test runner that names its failures and did run would have named this one, too.
  const unread = onBase.some(({ green, results }) => !green && results === undefined);
  const named = read.some(({ ids, executed }) => ids === undefined && executed > 0);
  return named && !unread ? 'vacuous' : 'weak';
}

/** Whether a name that could not be loaded is this file, or the package that contains it. */
function isUnloaded(named: string, path: string): boolean {
  if (sameFile(named, path)) return true;
  const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')));
  const isPackage = path.endsWith('.go') || path.endsWith('.rs');
  return isPackage && (path.endsWith('.rs') || folder === '' || named.endsWith(`/${folder}`));
}

export interface Tdd {
  readonly look: Look;
  readonly tests: readonly TestProof[];
  readonly mode: 'warn' | 'enforce';
}

/** The findings for a change: at least one test has to have failed before it. */
export function judgeTdd({ look, tests, mode }: Tdd): readonly ProofFound[] {
  const level = mode === 'enforce' ? 'block' : 'warn';
  const vacuous = tests.filter(({ proof }) => proof === 'vacuous');
  const proves = tests.some(({ proof }) => proof !== 'vacuous');
  const [first] = vacuous;
  const named = some(vacuous.map(({ test }) => quote(test)));
  if (first && (proves || addsCode(look))) {
    const only = proves ? '' : ', and no other new test fails there';
    const message = `${named} also passes on the base, before the change${only}: it proves nothing about it`;
    return [{ rule: 'test-vacuous', level: proves ? 'warn' : level, message, path: first.path, line: first.line }];
  }
  if (proves || !addsCode(look)) return [];
  const message =
    'code was added, but no new or changed test fails without it; write a test that fails on the base and passes now';
  const path = look.files.find(file => productionLines(look, file).length > 0)?.path;
  return [{ rule: 'test-first', level, message, ...(path !== undefined && { path }) }];
}

/** Whether the change adds production code other than comments. */
export const addsCode = (look: Look): boolean =>
  look.files.some(file => productionLines(look, file).some(({ code }) => /\w/.test(code)));
