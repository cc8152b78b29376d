/** How many tests the gates ran, and what the new tests prove. */
import type { GateResult, Proof, TestProof } from '../protocol.ts';
import { plural } from '../util/show.ts';
import type { History } from './history.ts';
import { code, text } from './markdown-text.ts';

/** For the newest accepted work, or else the baseline; empty if no gate runs tests. */
export function testsRun({ attempts, baseline }: History): string {
  const accepted = attempts.filter(attempt => attempt.commit !== undefined && attempt.gates.some(hasTests)).at(-1);
  return (accepted?.gates ?? baseline).filter(hasTests).map(words).join('; ');
}

const hasTests = ({ tests }: GateResult): boolean => tests !== undefined;

function words({ name, tests }: GateResult): string {
  const who = text(name, 60);
  if (tests === undefined || tests === 'unknown') return `${who}: counts unknown (its output could not be read)`;
  const { runner, executed, skipped, of } = tests;
  const count = plural(executed, of === 'packages' ? 'package' : 'test');
  return `${who}: ${count} executed${skipped > 0 ? `, ${skipped} skipped` : ''} (${text(runner)})`;
}

const WORDS: Readonly<Record<TestProof['proof'], string>> = {
  proven: 'proven',
  weak: 'weak red (could not be loaded on the base)',
  vacuous: '**vacuous** (passes on the base too)',
};
const SHOWN = 20;

/** One line for each new or changed test, and one for the mutants. */
export function proofLines(proof: Proof | undefined): readonly string[] {
  if (!proof) return [];
  const { tests, mutants } = proof;
  const noticed = mutants.filter(mutant => mutant.noticed).length;
  return [
    ...tests
      .slice(0, SHOWN)
      .map(({ proof: how, test, path, line }) => `${WORDS[how]}: ${text(test, 120)} (${code(`${path}:${line}`)})`),
    ...(tests.length > SHOWN ? [`and ${plural(tests.length - SHOWN, 'more test')}`] : []),
    ...(mutants.length > 0 ? [`${noticed} of ${plural(mutants.length, 'mutant')} noticed`] : []),
  ];
}
