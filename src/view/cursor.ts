/**
 * How far a reader has followed a run: the last record of its journal, and for each working agent how many bytes of its
 * signals were read. As text it is the id of an event: `412-i37.5120-r3.80`.
 */
import type { Look } from './all-runs.ts';

export interface Cursor {
  readonly seq: number;
  /** By agent: `i37` for an iteration, `r3` for a review. */
  readonly heard: ReadonlyMap<string, number>;
}

const FORM = /^\d{1,12}(?:-[ir]\d{1,9}\.\d{1,10}){0,64}$/;

export const cursorText = ({ seq, heard }: Cursor): string =>
  [String(seq), ...[...heard].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([key, bytes]) => `${key}.${bytes}`)].join(
    '-',
  );

/** Undefined if the text is not a cursor. */
export function parseCursor(text: string): Cursor | undefined {
  if (!FORM.test(text)) return undefined;
  const [seq = '', ...heard] = text.split('-');
  return {
    seq: Number(seq),
    heard: new Map(
      heard.map(part => {
        const dot = part.indexOf('.');
        return [part.slice(0, dot), Number(part.slice(dot + 1))];
      }),
    ),
  };
}

/** The cursor after all records, and after what was read of the open agents. */
export const cursorAt = ({ facts }: Look, heard: ReadonlyMap<string, number>): string =>
  cursorText({ seq: facts.place?.seq ?? 0, heard });
