/** One record of the journal as a line: JSON with a checksum over itself and the previous checksum. */
import type { Recorded } from '../events.ts';
import { crypto } from '../util/crypto.ts';

/** Raised when the format changes in a way that an older program must not read. */
export const VERSION = 1;
const SUM_LENGTH = 12;
export const GENESIS = '0'.repeat(SUM_LENGTH);

export interface Parsed {
  readonly record: Recorded;
  readonly prev: string;
  readonly sum: string;
  readonly version: number;
}

const SUFFIX_LENGTH = `,"sum":"${GENESIS}"}`.length;

/** Whether the line ends with this checksum. */
export const endsWithSum = (line: Buffer, sum: string): boolean =>
  line.toString('latin1', Math.max(0, line.length - SUFFIX_LENGTH)) === `,"sum":"${sum}"}`;

/** A record's line, and its checksum, which the next record refers to. */
export function lineOf(record: Recorded, prev: string): { readonly line: Buffer; readonly sum: string } {
  const version = record.seq === 1 ? { v: VERSION } : {};
  const body = JSON.stringify({ ...version, ...record, prev });
  const sum = checksum(body);
  return { line: Buffer.from(`${body.slice(0, -1)},"sum":"${sum}"}\n`), sum };
}

export function parseRecord(line: Buffer): Parsed | undefined {
  const text = line.toString('utf8');
  const sum = text.slice(-SUM_LENGTH - 2, -2);
  const body = `${text.slice(0, -SUFFIX_LENGTH)}}`;
  if (text.slice(-SUFFIX_LENGTH) !== `,"sum":"${sum}"}` || checksum(body) !== sum) return undefined;
  try {
    const { prev, v, ...record } = JSON.parse(body) as Recorded & { prev: string; v?: number };
    return { record: record as Recorded, prev, sum, version: v ?? VERSION };
  } catch {
    return undefined;
  }
}

function checksum(body: string): string {
  return crypto().hash('sha256', body).slice(0, SUM_LENGTH);
}
