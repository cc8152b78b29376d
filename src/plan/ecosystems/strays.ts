/** Warns about lines that look like tasks but are not read as tasks, so that none is lost unnoticed. */
import type { Problem } from '../../protocol.ts';
import type { Line } from './lines.ts';

const SHOWN = 5;

/** One warning for all such lines of one kind; nothing if there are none. */
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
