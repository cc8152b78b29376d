/** One thing out of many like it that a test expects, answered as a whole under some condition. */

import { functionAround, functionsIn } from '../functions.ts';
import type { Look, LookFile } from '../look.ts';
import { linesWith } from '../matches.ts';
import { codeBefore, productionLines } from '../production-lines.ts';
import { isDatum } from './values.ts';
import { askedBefore } from './values-in-tests.ts';

const ANSWERED = /\breturn\s+["'`][^"'`\n]*\d[^"'`\n]*["'`]/g;
const WHOLE =
  /\breturn\s+(?:"([^"\\]*)"|'([^'\\]*)'|`([^`\\$]*)`)\s*(?:\.(?:to_string|into|to_owned)\(\))?(?:,\s*nil)?\s*;?\s*\}?\s*(?:if\b.*)?$/;
/** The beginnings and ends of calendars are everybody's. */
const EDGE = /^(?:1970|1900|1601|0001|0000|2000|9999|2038)\b/;

/** A fixed answer, with a place in the tests that expects it. */
interface Answered extends Candidate {
  readonly where: string;
}

interface Candidate {
  readonly file: LookFile;
  readonly line: number;
  readonly value: string;
}

function candidatesIn(look: Pick<Look, 'files'>, file: LookFile): readonly Candidate[] {
  const lines = linesWith(productionLines(look, file), ANSWERED);
  if (lines.length === 0) return [];
  const functions = functionsIn(file.after, file.language);
  return lines.flatMap(({ code, number }): readonly Candidate[] => {
    const match = WHOLE.exec(code);
    const value = match?.[1] ?? match?.[2] ?? match?.[3] ?? '';
    const digits = new Set(value.replace(/\D/g, ''));
    // A sentence is a message; what has letters and digits in one word is the name of one thing.
    if (!isDatum(value) || digits.size < 3 || /\s/.test(value) || EDGE.test(value)) return [];
    if (codeBefore(file).includes(value) || (functionAround(functions, number)?.parameters.length ?? 0) === 0)
      return [];
    return [{ file, line: number, value }];
  });
}

export function datumAnswers(look: Look): readonly Answered[] {
  const candidates = look.files.flatMap(file => candidatesIn(look, file));
  if (candidates.length === 0) return [];
  const asked = askedBefore(look);
  return candidates.flatMap(({ file, line, value }) =>
    asked.has(value) ? [{ file, line, value, where: asked.where(value) }] : [],
  );
}

/** What of these has to be searched in the tests. */
export const datumsToFind = (files: readonly LookFile[]): readonly string[] =>
  files.flatMap(file => candidatesIn({ files }, file).map(({ value }) => value)).slice(0, 10);
