/** One line of a setting that keeps tests, lints or failures away, whatever the rest of the file says. */
import type { LookFile } from '../look.ts';
import { codeOf, linesWith } from '../matches.ts';
import { type Found, quote } from './rule.ts';

interface Setting {
  readonly file: RegExp;
  /** With the flag `g`: it is looked for in all added lines at once. */
  readonly line: RegExp;
  readonly what: string;
  /** Only where this stood before. */
  readonly went?: RegExp;
}

const SETTINGS: readonly Setting[] = [
  {
    file: /(?:vitest|jest|vite|playwright|cypress|wdio|karma|\.mocharc)[^/]*$|(^|\/)package\.json$/,
    line: /["']?\btestNamePattern["']?\s*:\s*(?:\/|["'`])(?!["'`])|["']?\bgrepInvert["']?\s*:\s*(?:\/|["'`[])|["']?\binvert["']?\s*:\s*true/g,
    what: 'keeps tests from running by their names',
  },
  {
    file: /(^|\/)\.rspec$/,
    line: /^[^\S\n]*(?:--tag|-t)[ =]~|--exclude-pattern\b|--dry-run\b|--example(?:-matches)?\b|-e\s/gm,
    what: 'keeps tests from running',
  },
  {
    file: /(^|\/)\.cargo\/config(?:\.toml)?$/,
    line: /--cap-lints\b|["']-A(?:llow)?["']|-A\s?warnings|--allow\b/g,
    what: 'keeps the compiler quiet about everything',
  },
  {
    file: /(^|\/)(?:Rakefile|[^/]+\.rake)$/,
    line: /\bfail_on_error\s*=\s*false\b/g,
    what: 'lets a task pass that found something',
  },
  {
    file: /(^|\/)(?:Rakefile|[^/]+\.rake)$/,
    line: /\bsh\b[^\n]*(?:\{|\bdo)\s*\|(?![^\n]*\b(?:abort|raise|exit|fail)\b)/g,
    what: 'hears of a failure and goes on',
  },
  {
    file: /(^|\/)(?:Rakefile|[^/]+\.rake)$/,
    line: /\.(?:pattern|test_files)\s*=\s*[^\n*{]+$/gm,
    what: 'runs some of the tests only',
    went: /\.(?:pattern|test_files)\s*=[^\n]*\*/,
  },
  {
    file: /_helper\.rb$|\.simplecov$/,
    line: /^[^\S\n]*add_filter\b[^\n]*\{[^\n]*(?:include\?|match\?|=~|start_with\?|end_with\?)[^\n]*\}/gm,
    what: 'takes code out of the coverage',
  },
];

export const leftOutBySetting = (file: LookFile): readonly Found[] =>
  SETTINGS.flatMap(({ file: path, line, what, went }): readonly Found[] => {
    if (!path.test(file.path) || file.added.length === 0) return [];
    if (went && !went.test(codeOf(file.removed))) return [];
    const had = linesWith(file.removed, line).length;
    return linesWith(file.added, line)
      .slice(had)
      .map(({ text, number }) => ({ message: `${quote(text)} ${what}`, path: file.path, line: number }));
  });
