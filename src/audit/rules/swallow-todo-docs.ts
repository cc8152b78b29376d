/**
 * Signs of unfinished work: TODO notes, ignored errors, documentation instead of code.
 *
 *     - await save(order);
 *     + try { await save(order); } catch {} // TODO: say something
 */
import type { LookFile } from '../look.ts';
import { linesWith, textOf } from '../matches.ts';
import { productionLines } from '../production-lines.ts';
import { roleOf } from '../roles.ts';
import { type Found, quote, type Rule, some } from './rule.ts';

const NOTE = /\b(?:TODO|FIXME|XXX|HACK)\b/;
const NOTES = new RegExp(NOTE, 'g');

export const todo: Rule = {
  id: 'todo',
  level: 'note',
  about: 'A TODO comment in new code.',
  check: look =>
    look.files.flatMap(file =>
      linesWith(productionLines(look, file), NOTES, textOf)
        .filter(line => !NOTE.test(line.code))
        .map((line): Found => ({ message: `${quote(line.text)} is left to do`, path: file.path, line: line.number })),
    ),
};

const SWALLOWS: readonly RegExp[] = [
  /\bcatch\s*(?:\([^)]*\))?\s*\{\s*\}/,
  /\.catch\(\s*(?:\(?\w*\)?\s*=>\s*(?:\{\s*\}|null|undefined|void 0)|noop|function\s*\(\w*\)\s*\{\s*\})\s*\)/,
  /\bexcept(?:\s+\(?[\w.,\s]*(?:Exception|BaseException)\)?(?:\s+as\s+\w+)?)?\s*:\s*(?:pass|\.\.\.)\s*$/,
  /\brescue\s*(?:=>\s*\w+)?\s*;?\s*(?:nil)?\s*$/,
  /\brescue\s+nil\b/,
  /^\s*_\s*=\s*err\b|^\s*_\s*=\s*\w+\.Close\(\)\s*$/,
];

/** A cheap test: without one of these words no error is caught. */
const CATCHES = /catch|except|rescue|_\s*=/g;

export const swallow: Rule = {
  id: 'swallow',
  level: 'warn',
  about: 'An error is caught and ignored.',
  check: look =>
    look.files.flatMap(file =>
      linesWith(productionLines(look, file), CATCHES).flatMap((line): readonly Found[] => {
        const hit = SWALLOWS.some(pattern => pattern.test(line.code)) || passes(file, line.number, line.code);
        return hit ? [{ message: `${quote(line.text)} forgets an error`, path: file.path, line: line.number }] : [];
      }),
    ),
};

/** `except Exception:` with `pass` on the next line. */
const passes = (file: LookFile, number: number, code: string): boolean =>
  /^\s*except(?:\s+\(?(?:Exception|BaseException)\)?(?:\s+as\s+\w+)?)?\s*:\s*$/.test(code) &&
  /^\s*(?:pass|\.\.\.)\s*$/.test(file.after.codeLines[number] ?? '');

const flat = (code: string): string => code.replace(/\s+/g, ' ').trim();

const ABOUT_WORDS =
  /\b(?:docs?|document\w*|readme|changelog|guide|tutorial|comments?|spec(?:ification)?s?|adr|write[- ]?up|notes?|plan(?:ning)?|research|explain|describe|licen[cs]e|report|audit|review|investigat\w*|analy[sz]e|proposal|rfc|decision|diagram|glossary|runbook|translat\w*|typo|wording|text|page|blog|article|policy|faq)\b|\.(?:md|mdx|rst|txt|adoc)\b/;

export const docsOnly: Rule = {
  id: 'docs-only',
  level: 'block',
  about: 'Only documentation changed where code was asked for.',
  check: ({ changes, files, scope, words, item }) => {
    // Only an item can ask for code; a range of commits, or a round of a repeating item, may be about documentation.
    if (scope !== 'item' || changes.length === 0 || item.changeOptional || ABOUT_WORDS.test(words)) return [];
    const paths = changes.map(({ path }) => path);
    const isWords = (path: string) => roleOf(path) === 'docs' && !path.endsWith('.txt');
    // A change of comments only counts as documentation, too.
    const isComment = (path: string) => {
      const file = files.find(other => other.path === path);
      return file?.role === 'production' && file.before.text !== '' && flat(file.before.code) === flat(file.after.code);
    };
    if (!paths.every(path => isWords(path) || isComment(path))) return [];
    const message = `only words were changed (${some(paths)}), but the item asks for work`;
    return [{ message, path: paths[0] ?? '' }];
  },
};
