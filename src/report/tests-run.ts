/** How many tests the gates ran, said once for the whole run. */
import type { GateResult } from '../protocol.ts';
import { plural } from '../util/show.ts';
import type { History } from './history.ts';
import { text } from './markdown-text.ts';

/** Of the newest work that was accepted, else of the baseline; empty where no gate runs tests. */
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
