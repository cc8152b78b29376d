/** Calls that declare a test or a group in JavaScript: by the runner's names, or by a name given on import. */
import type { Masked } from '../mask.ts';
import { allMatches } from '../matches.ts';
import { closing, partsOf, pastSpace } from './brackets.ts';

export const WORD =
  /\b(?=[a-zDQ])(?<![$.])(?:(?:Deno|QUnit|t|tap|bun)\s*\.\s*)?([xf]?)(it|test|describe|context|suite|specify|module)\b(?=\s*[.(`<])/g;
const ARE_TESTS =
  /^(?:only|skip|todo|fixme|each|for|concurrent|sequential|serial|parallel|shuffle|failing|fails?|runIf|skipIf|if|todoIf|retry|slow|describe|exclusive|ignore|cb|macro|pending)$/;
export const CONDITIONAL = /^(?:skipIf|runIf|if|todoIf)$/;

export interface Call {
  readonly at: number;
  readonly prefix: string;
  readonly container: boolean;
  readonly modifiers: readonly string[];
  readonly conditions: readonly string[];
  readonly rows: number;
  readonly open: number;
  readonly close: number;
}

export function callAt(bare: string, code: string, match: RegExpMatchArray): Call | undefined {
  const start = match.index ?? 0;
  let at = start + match[0].length;
  let rows = 0;
  const modifiers: string[] = [];
  const conditions: string[] = [];
  for (let step = 0; step < 12; step++) {
    at = pastSpace(bare, at);
    const character = bare[at];
    if (character === '.') {
      const name = /^\.\s*(\w+)/.exec(bare.slice(at, at + 40));
      if (!name) return undefined;
      modifiers.push(name[1] ?? '');
      at += name[0].length;
    } else if (character === '<') {
      const generic = /^<[^()]{0,300}?>(?=\s*\()/.exec(bare.slice(at, at + 320));
      if (!generic) return undefined;
      at += generic[0].length;
    } else if (character === '`') {
      const end = bare.indexOf('`', at + 1);
      if (end < 0) return undefined;
      rows += Math.max(0, code.slice(at, end).trim().split('\n').length - 2);
      at = end + 1;
    } else if (character === '(') {
      const close = closing(bare, at);
      const next = bare[pastSpace(bare, close + 1)];
      const curried =
        next === '(' && modifiers.length > 0 && /^(?:each|for|skipIf|runIf|if|todoIf)$/.test(modifiers.at(-1) ?? '');
      if (!curried) {
        if (!modifiers.every(name => ARE_TESTS.test(name))) return undefined;
        const container = /describe|context|suite|module/.test(match[2] ?? '') || modifiers.includes('describe');
        return { at: start, prefix: match[1] ?? '', container, modifiers, conditions, rows, open: at, close };
      }
      const inner = pastSpace(bare, at + 1);
      if (CONDITIONAL.test(modifiers.at(-1) ?? '')) conditions.push(code.slice(at + 1, close).trim());
      else if (bare[inner] === '[') rows += partsOf(bare, inner).length;
      at = close + 1;
    } else return undefined;
  }
  return undefined;
}

const RUNNERS =
  /\b(?:import\s+([^;'"]+?)\s+from\s*|(?:const|let|var)\s+([^;=]+?)\s*=\s*(?:await\s+import\(|require\()\s*)['"](node:test|test|vitest|@jest\/globals|bun:test|mocha|ava|tape|tap|uvu|@playwright\/test)['"]/g;
const IS_WORD = /^(?:it|test|describe|context|suite|specify)$/;
/** Libraries whose default export is the test function. */
const IS_FUNCTION = /^(?:node:test|test|ava|tape|tap)$/;

/** Calls of test functions that were renamed on import: `const t = require('node:test')`. */
export function importedCalls(bare: string, code: string): readonly Call[] {
  return allMatches(code, RUNNERS).flatMap(([, imported, required, library = '']) => {
    const bound = imported ?? required ?? '';
    const whole = /^(?:\*\s*as\s+)?([A-Za-z_$][\w$]*)/.exec(bound.trim())?.[1];
    const renamed = allMatches(bound, /\b(\w+)\s*(?:\bas\b|:)\s*([A-Za-z_$][\w$]*)/g).map(
      ([, from = '', to = '']): readonly [string, string] => [from === 'default' ? 'test' : from, to],
    );
    const names: readonly (readonly [string, string])[] = [
      ...(whole !== undefined && IS_FUNCTION.test(library) ? [['test', whole] as const] : []),
      ...renamed.filter(([from]) => IS_WORD.test(from)),
    ];
    return names
      .flatMap(([word, name]) => (IS_WORD.test(name) ? [] : callsOf({ bare, code }, name, word)))
      .filter(
        ({ open, close, modifiers }) => modifiers.includes('todo') || /=>|\bfunction\b/.test(bare.slice(open, close)),
      );
  });
}

function callsOf({ bare, code }: Masked, name: string, word: string): readonly Call[] {
  const uses = allMatches(bare, new RegExp(`(?<![\\w$.])()${name.replaceAll('$', '\\$')}\\b(?=\\s*[.(\`<])`, 'g'));
  return uses.flatMap(use => callAt(bare, code, Object.assign(use, { 2: word })) ?? []);
}
