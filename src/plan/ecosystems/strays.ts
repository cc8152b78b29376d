/** What looks like a task and is not read as one: counted, with its lines, so that nothing is lost unseen. */
import type { Problem } from '../../protocol.ts';
import type { Line } from './lines.ts';

const SHOWN = 5;

/** One warning for all lines of a kind; none where there is no such line. */
export function strays(lines: readonly Line[], why: string): readonly Problem[] {
  const [first] = lines;
  if (!first) return [];
  const numbers = lines.map(({ number }) => number);
  const more = numbers.length > SHOWN ? `, and ${numbers.length - SHOWN} more` : '';
  const where = `${lines.length === 1 ? 'line' : 'lines'} ${numbers.slice(0, SHOWN).join(', ')}${more}`;
  const count = lines.length === 1 ? '1 box is' : `${lines.length} boxes are`;
  const message = `${count} not read as a task: ${why} (${where})`;
  return [{ level: 'warning', line: first.number, column: 1, message }];
}
