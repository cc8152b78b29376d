/** Functions that return their answers from a list in turn, whatever their input is: so even tests that contradict each other become green. */
import type { LookFile } from '../look.ts';
import { productionLines } from '../production-lines.ts';

export interface Turn {
  readonly file: LookFile;
  readonly line: number;
  readonly text: string;
}

const LITERAL = String.raw`(?:"[^"\n]*"|'[^'\n]*'|-?\d[\d_.]*|true|false|null|None|nil)`;
const LIST = new RegExp(
  String.raw`\b([A-Za-z_]\w*)\s*(?::[^=\n]{0,120})?:?=\s*(?:iter\()?(?:\[|vec!\[|List\.of\()\s*${LITERAL}(?:\s*,\s*${LITERAL})+`,
  'g',
);

/** Finds such functions. One without parameters may cycle through a list; one with parameters has to use them. */
export function byTurns(files: readonly LookFile[]): readonly Turn[] {
  return files.flatMap(file => {
    const added = productionLines({ files }, file);
    if (added.length === 0) return [];
    const lists = [...file.after.code.matchAll(LIST)].flatMap(match => (match[1] === undefined ? [] : [match[1]]));
    if (lists.length === 0) return [];
    const taken = new RegExp(
      String.raw`\b(?:${lists.join('|')})(?:\.(?:shift|pop)\(|\s*\[[^\]]*(?:\+\+|\+=|%)[^\]]*\])|\bnext\(\s*(?:${lists.join('|')})\b`,
    );
    return added
      .filter(({ number, code }) => taken.test(code) && hasParameters(file.after.codeLines, number))
      .map(({ number, text }) => ({ file, line: number, text }));
  });
}

const HEAD =
  /\b(?:function\b[^(]*|def\s+\w+\s*|func\b[^(]*(?:\([^)]*\)\s*\w+)?|fn\s+\w+\s*|(?:const|let|var)\s+\w+\s*=\s*(?:async\s*)?|\w+\s+)\(\s*(?:&?(?:mut\s+)?self\s*,?\s*)?([^)]*)\)/;

function hasParameters(lines: readonly string[], number: number): boolean {
  for (let at = number - 1; at >= Math.max(0, number - 15); at--) {
    const line = lines[at] ?? '';
    if (/^\s*(?:if|for|while|switch|match|return|else)\b/.test(line)) continue;
    const head = HEAD.exec(line);
    if (head) return (head[1] ?? '').trim() !== '';
  }
  return false;
}
