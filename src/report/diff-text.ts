/** A patch for a terminal: without control codes, in the usual colours. */
import { harmless, type Paint, painter } from './style.ts';

export function diffText(diff: string, { color }: { readonly color: boolean }): string {
  const paint = painter({ color });
  return harmless(diff)
    .split('\n')
    .map(line => painted(line, paint))
    .join('\n');
}

function painted(line: string, paint: Paint): string {
  if (/^(diff |index |--- |\+\+\+ )/.test(line)) return paint('strong', line);
  if (line.startsWith('@@')) return paint('accent', line);
  if (line.startsWith('+')) return paint('good', line);
  return line.startsWith('-') ? paint('bad', line) : line;
}
