/** The code around a decision: its block, its answer, its function. */
import { indentOf } from '../../util/text.ts';

export function blockBelow(lines: readonly string[], number: number, most: number): readonly string[] {
  const indent = indentOf(lines[number - 1] ?? '');
  const block: string[] = [];
  for (const line of lines.slice(number, number + most + 2)) {
    if (line.trim() === '' || /^\s*\{\s*$/.test(line)) continue;
    if (indentOf(line) <= indent || block.length >= most) break;
    block.push(line);
  }
  return block;
}

export const expressionOf = (line: string): string =>
  line.replace(/^\s*(?:return\b|then\b|=>|->)?\s*/, '').replace(/\s*(?:[;,]|,\s*(?:nil|None|null))*\s*\}?\s*$/, '');

const FUNCTION =
  /\b(?:function|def|func|fn|fun)\b|^\s*(?:(?:public|private|protected|internal|static|final|async|override|export)\s+)+[\w<>[\],.?\s]*\(|^\s{0,4}(?:async\s+)?\w+\([^)]*\)\s*(?::[^{]*)?\{\s*$/;

export function functionAbove(lines: readonly string[], number: number): number {
  for (let at = number; at > Math.max(0, number - 80); at--) if (isHead(lines, at)) return at;
  return 0;
}

/** Whether a function begins on a line; cached, because every decision below the line asks. */
function isHead(lines: readonly string[], number: number): boolean {
  const known = heads.get(lines) ?? new Map<number, boolean>();
  heads.set(lines, known);
  const found = known.get(number) ?? FUNCTION.test(lines[number - 1] ?? '');
  known.set(number, found);
  return found;
}

const heads = new WeakMap<readonly string[], Map<number, boolean>>();

const GIVES_UP = /\b(?:throw|raise|panic|Err|error|errors|None|nil|null|undefined|reject|fail)\b/;

/** Whether code after the decision, in the same function, computes something from names. */
export function computesAfter(lines: readonly string[], number: number): boolean {
  const indent = indentOf(lines[number - 1] ?? '');
  for (const [at, line] of lines.slice(number, number + 40).entries()) {
    const text = line.trim();
    if (text === '' || GIVES_UP.test(text)) continue;
    if (indentOf(line) <= indent && isHead(lines, number + at + 1)) return false;
    if (indentOf(line) < indent - 8) return false;
    if (
      /^(?:return\b|else\b|default\b|_\s*(?:=>|->)|[\w$@]+\s*[:+*/-]?=\s|for\b|while\b)/.test(text)
        ? /[a-z_]\w*/i.test(
            text.replace(/^(?:return|else|default|_|for|while|final|const|let|var)\b|["'][^"']*["']/g, ''),
          )
        : /[\w)\]]\s[-+*/%]\s[\w(]|[\w)]\.\w+[([]|^[@$\w]+[[(]/.test(text)
    )
      return true;
  }
  return false;
}
