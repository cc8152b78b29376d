/** Names that a change removes from production code: tests about them may be removed, too. */
import { oncePer } from '../util/once.ts';
import type { Look, LookFile } from './look.ts';
import { testRegions } from './production-lines.ts';

export interface GoneNames {
  /** Functions, classes, constants, files and addresses that were removed and occur nowhere in the changed files now. */
  readonly defined: ReadonlySet<string>;
  /** Any removed word, such as a field. */
  readonly words: ReadonlySet<string>;
}

const DEFINITION =
  /\b(?:function\*?|class|def|defp|fn|func(?:\s*\([^)\n]*\))?|const|let|var|interface|type|struct|enum|trait|module|object|record)\s+(?:self\.)?([A-Za-z_$][\w$]*[?!]?)|^[ \t]+(?:(?:public|private|protected|internal|static|final|async|override|virtual)\s+)*(?:[\w<>[\],.?]+\s+)?([A-Za-z_]\w*)\s*\([^)\n]*\)\s*(?:throws [^{\n]*)?(?::[^{\n]*)?\{|^[ \t]*([A-Za-z_]\w*)\s*[:=]\s*(?:async\s*)?(?:function\b|\([^)\n]*\)\s*=>)/gm;
const NO_NAME = /^(?:if|for|while|switch|catch|return|function|constructor|main|new|get|set|init|else|do|try|test|it)$/;
const ADDRESS = /["'`](\/?[\w:-]+(?:[/.][\w:{}-]+)+\/?|\/[\w:-]+)["'`]/g;

export const goneNames = oncePer((look: Look): GoneNames => find(look));

function find({ files }: Look): GoneNames {
  const code = files.filter(file => file.role === 'production' || file.role === 'other');
  const now = new Set<string>();
  for (const file of code) for (const word of wordsIn(withoutTests(file, 'after'))) now.add(word);
  const defined = new Set<string>();
  const words = new Set<string>();
  for (const file of code) {
    if (file.removed.length === 0) continue;
    const tests = testRegions(file, 'before');
    const lines = file.removed
      .filter(({ number }) => !tests.some(([from, to]) => number >= from && number <= to))
      .map(line => line.code)
      .join('\n');
    for (const match of lines.matchAll(DEFINITION)) {
      const name = match[1] ?? match[2] ?? match[3] ?? '';
      if (name.length >= 3 && !NO_NAME.test(name) && !now.has(name)) defined.add(name);
    }
    for (const [, address = ''] of lines.matchAll(ADDRESS)) {
      if (address.length >= 4 && !code.some(other => other.after.code.includes(address))) defined.add(address);
    }
    for (const word of wordsIn(lines)) if (word.length >= 3 && !now.has(word)) words.add(word);
    if (file.change.kind === 'deleted') {
      const base = file.path.slice(file.path.lastIndexOf('/') + 1).replace(/\.\w+$/, '');
      if (base.length >= 3 && !code.some(other => other.change.kind !== 'deleted' && other.path.includes(base)))
        defined.add(base);
    }
  }
  return { defined, words };
}

/** Code without its tests: Rust keeps tests in the same file. */
function withoutTests(file: LookFile, side: 'before' | 'after'): string {
  const tests = testRegions(file, side);
  if (tests.length === 0) return file[side].code;
  return file[side].codeLines.filter((_, at) => !tests.some(([from, to]) => at + 1 >= from && at + 1 <= to)).join('\n');
}

const wordsIn = (code: string): readonly string[] => code.match(/[A-Za-z_$][\w$]*[?!]?/g) ?? [];

/** The first of these names that occurs in a text as a whole word. */
export function mentioned(names: ReadonlySet<string>, text: string): string | undefined {
  for (const word of wordsIn(text)) if (names.has(word)) return word;
  return addressesIn(names).find(name => text.includes(name));
}

/** The names that are not a single word, such as paths. */
const addressesIn = oncePer((names: ReadonlySet<string>) => [...names].filter(name => /[/.-]/.test(name)));
