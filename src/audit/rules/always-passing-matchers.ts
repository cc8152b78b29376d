/** Matchers of the project itself that pass whatever they are given, or take the place of a known one. */
import { places } from '../../util/text.ts';
import type { LookFile } from '../look.ts';
import { codeOf } from '../matches.ts';
import { closing, partsOf } from '../tests/brackets.ts';
import { type Found, quote } from './rule.ts';

const KNOWN =
  /^(?:toBe|toEqual|toStrictEqual|toThrow|toThrowError|toMatch|toMatchObject|toMatchSnapshot|toContain|toContainEqual|toHaveLength|toHaveProperty|toHaveBeenCalled\w*|toBeDefined|toBeNull|toBeTruthy|toBeFalsy|toBeCloseTo|toBeGreaterThan\w*|toBeLessThan\w*|toBeInstanceOf|toHaveReturned\w*)$/;

/** Nothing of what it was given decides. */
const PASSES = /\bpass\s*:\s*(?:true|!0|1)\b/;
const FAILS = /\bpass\s*:(?!\s*(?:true\b|!0|1\b))|\bpass\b(?!\s*:)/;
const RUBY =
  /^[^\S\n]*match\s*(?:\{\s*(?:\|[^|]*\|)?\s*true\s*\}|do\s*(?:\|[^|]*\|)?\s*\n\s*true\s*\n\s*end)|^[^\S\n]*def\s+matches\?\s*\(?[^)\n]*\)?\s*\n\s*true\s*\n\s*end/gm;
const HAMCREST =
  /\b(?:boolean\s+matches(?:Safely)?|Matches|public\s+function\s+matches|fun\s+test|function\s+evaluate)\s*\([^)]*\)\s*(?::\s*\??\w+\s*)?(?:\{\s*return\s+true\s*;?\s*\}|=>?\s*true\b)/g;

const WORDS = /\bpass\b|matches|\bmatch\b|extend|evaluate|Matches/;

export function alwaysPassing(file: LookFile): readonly Found[] {
  if (!WORDS.test(file.after.code) || !WORDS.test(codeOf(file.added))) return [];
  const added = new Set(file.added.map(({ number }) => number));
  const place = places(file.after.code);
  const lineAt = (at: number) => place(at).line;
  const found: Found[] = [];
  const add = (name: string, at: number, to: number, why: string) => {
    const [first, last] = [lineAt(at), lineAt(to)];
    for (let line = first; line <= last; line++) {
      if (!added.has(line)) continue;
      found.push({ message: `the matcher ${quote(name)} ${why}`, path: file.path, line });
      return;
    }
  };
  const { bare } = file.after;
  for (const match of bare.matchAll(/\bexpect\.extend\(\s*\{/g)) {
    const open = match.index + match[0].length - 1;
    for (const [from, to] of partsOf(bare, open, closing(bare, open))) {
      const text = bare.slice(from, to);
      const name = /^\s*(?:async\s+)?(?:function\s+)?(\w+)\s*(?=[:(<])/.exec(text)?.[1] ?? '';
      if (name === '') continue;
      if (PASSES.test(text) && !FAILS.test(text)) add(name, from, to, 'passes whatever it is given');
      else if (KNOWN.test(name)) add(name, from, to, 'takes the place of a known one');
    }
  }
  for (const pattern of [RUBY, HAMCREST]) {
    for (const match of file.after.code.matchAll(pattern))
      add(
        match[0].trim().split('\n')[0] ?? '',
        match.index,
        match.index + match[0].length,
        'passes whatever it is given',
      );
  }
  return found;
}
