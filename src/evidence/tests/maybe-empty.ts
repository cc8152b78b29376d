/** Loops over what a test should find: where nothing was found, nothing is asked. */
import { indentOf } from '../../util/text.ts';
import { type Assertion, assertionsOf } from './assertions.ts';
import type { TestCase } from './test-case.ts';

const LOOP =
  /^\s*(?:for\s*\(\s*(?:const|let|var)\s+.+?\s+of\s+(.+?)\)\s*\{?.*|for\s+.+?\s+in\s+(.+?):.*|(.+?)\.(?:forEach|each)\s*(?:\(|do\b|\{).*)$/;
const SIZED =
  /[lL]ength|\blen\(|\bsize\b|\bcount\b|[cC]ount\(|[eE]mpty|HaveCount|have_(?:exactly|at_least)|\bany\?|toHaveLength|getAllBy|findAllBy/;
const LISTED = /^(?:\[|\(\s*[('"\d]|%[wi]|\{|Object\.\w+\(\s*\{|range\(|enumerate\(\s*\[)/;

export const GOES_THROUGH = /\bfor\b|\.(?:forEach|each)\b/;

/** A new loop that took the place of an assertion on what it goes through. */
export function onlyIfAny(before: TestCase, after: TestCase): Assertion | undefined {
  if (!GOES_THROUGH.test(after.code)) return undefined;
  const old = new Set(before.code.split('\n').map(line => line.trim()));
  const lines = after.code.split('\n');
  const now = assertionsOf(after);
  const texts = new Set(now.map(({ text }) => text));
  const gone = assertionsOf(before).filter(({ text }) => !texts.has(text));
  if (gone.length === 0) return undefined;
  for (const [at, line] of lines.entries()) {
    const found = LOOP.exec(line);
    const rows = (found?.[1] ?? found?.[2] ?? found?.[3] ?? '').trim();
    if (rows === '' || old.has(line.trim()) || (LISTED.test(rows) && !/^\[\s*\]$/.test(rows))) continue;
    const inside = now.filter(own => {
      const asked = own.line - after.bodyLine;
      return asked === at || (asked > at && isDeeper(lines, at, asked));
    });
    if (inside.length === 0 || now.some(own => !inside.includes(own) && SIZED.test(own.text))) continue;
    const words = new Set(rows.match(/[A-Za-z_]\w{2,}|'[^']*'|"[^"]*"/g) ?? []);
    const about = gone.some(
      ({ text }) => [...words].filter(word => text.includes(word.replace(/["']/g, ''))).length > 0,
    );
    // Rows that the test made itself are there.
    const made = lines
      .slice(0, at)
      .some(other => new RegExp(`\\b${rows.replace(/\W.*$/, '')}\\b\\s*=\\s*[[{(]`).test(other));
    if (about && !made) return inside[0];
    if (/^\[\s*\]$/.test(rows)) return inside[0];
  }
  return undefined;
}

function isDeeper(lines: readonly string[], from: number, to: number): boolean {
  const indent = indentOf(lines[from] ?? '');
  return lines.slice(from + 1, to + 1).every(line => line.trim() === '' || indentOf(line) > indent);
}
