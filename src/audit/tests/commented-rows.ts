/** Cases of a table that became comments: however many others came, these are no longer tried. */
import type { Line, LookFile } from '../look.ts';
import { linesWith, textOf } from '../matches.ts';
import { isRow } from './table-rows.ts';

const COMMENT = /^[^\S\n]*(?:\/\/|#|--|\/\*|\*|;)+[^\S\n]*(?=\S)/gm;
const MARK = /^\s*(?:\/\/|#|--|\/\*|\*|;)+\s*|\s*\*\/\s*$/g;

/** Rows that stood there, and stand in a comment now. */
export function commentedRows(file: LookFile): readonly Line[] {
  if (file.removed.length === 0 || file.added.length === 0) return [];
  const noted = new Set(
    linesWith(file.added, COMMENT, textOf)
      .filter(({ code }) => code.trim() === '')
      .map(({ text }) => plain(text.replace(MARK, '')))
      .filter(text => text.length > 3),
  );
  if (noted.size === 0) return [];
  const gone = file.removed.filter(line => noted.has(plain(line.code)) && isRow(line));
  if (gone.length === 0) return [];
  // The same question with another answer took its place, or it stands somewhere else.
  const fresh = file.added.filter(line => line.code.trim() !== '' && isRow(line));
  const asked = new Set(fresh.map(firstOf));
  const kept = new Set(fresh.map(({ code }) => plain(code)));
  return gone.filter(line => !asked.has(firstOf(line)) && !kept.has(plain(line.code)));
}

const plain = (text: string): string => text.replace(/\s+/g, '').replace(/,$/, '');
const firstOf = ({ code }: Line): string => /'[^']*'|"[^"]*"|`[^`]*`|\d[\w.]*/.exec(code)?.[0] ?? code;
