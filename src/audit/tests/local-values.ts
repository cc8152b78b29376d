/** Names inside a test that stand for one fixed value, or for another name. */
import type { Language } from '../language.ts';
import { allMatches } from '../matches.ts';

const ASSIGNED =
  /(?:^|[;{\n])[ \t]*((?:const|let|var|val|final|auto|int|double|String|boolean|long)\s+(?:mut\s+)?)?([A-Za-z_]\w*)(?:\s*:\s*[\w<>&]+)?[ \t]*(:=|=(?![=>~]))[ \t]*([^\n;]+)/g;
const FIXED = /^(?:-?\d[\d_.]*|'(?:\\.|[^'\\\n])*'|true|false|True|False|[A-Za-z_]\w*)$/;

const DECLARES: ReadonlySet<Language> = new Set(['go', 'rust', 'java', 'kotlin', 'csharp']);

/** Only what is set once and never handed out to be changed. */
export function localValues(code: string, language: Language): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const twice = new Set<string>();
  for (const [, keyword = '', name = '', sign, value = ''] of allMatches(code, ASSIGNED)) {
    if (found.has(name) || twice.has(name)) twice.add(name);
    const fixed = value.trim().replace(/["`]/g, "'");
    // Where names are declared, one that is only set was declared elsewhere: a flag that a callback sets.
    const isSet = keyword === '' && sign === '=' && DECLARES.has(language);
    const isConstant = language === 'js' ? keyword.startsWith('const') : !isSet && !/\bmut\b|\bvar\b/.test(keyword);
    if (isConstant && FIXED.test(fixed)) found.set(name, fixed);
    else twice.add(name);
  }
  for (const name of [...found.keys()]) {
    const changed = new RegExp(
      `&(?:mut )?${name}\\b|\\b${name}\\s*(?:[-+*/|&]=|\\+\\+|--|<<)|\\b(?:nonlocal|global)\\b|\\bref ${name}\\b`,
    );
    if (twice.has(name) || changed.test(code)) found.delete(name);
  }
  return found;
}

/** The assertion with these names replaced by what they stand for. */
export const withValues = (text: string, values: ReadonlyMap<string, string>): string =>
  values.size === 0
    ? text
    : text
        .split(/('(?:\\.|[^'\\])*')/)
        .map((part, index) =>
          index % 2 === 1
            ? part
            : part.replace(/(?<![\w.$@])[A-Za-z_]\w*(?![\w(.[])/g, word => values.get(word) ?? word),
        )
        .join('');
