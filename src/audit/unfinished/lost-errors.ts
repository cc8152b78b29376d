/** Errors that tests still ask for and that the code can no longer raise: a check went quiet, or knows the one input. */
import type { Line } from '../line.ts';
import type { Look, LookFile } from '../look.ts';
import { linesWith } from '../matches.ts';
import { productionLines } from '../production-lines.ts';
import { roleOf } from '../roles.ts';

export interface LostRefusal {
  readonly file: LookFile;
  readonly line: number;
  /** The words or the name of the error. */
  readonly value: string;
  /** What is raised instead, for one input only. */
  readonly instead: string | undefined;
}

const RAISES = /\b(?:throw|raise|panic|Err|ok_or|ok_or_else|Errorf|errors\.New|bail|abort|reject)\b/g;
const TEXT = /"((?:\\.|[^"\\\n])*)"|'((?:\\.|[^'\\\n])*)'|`((?:\\.|[^`\\])*)`/g;
/** Where a text stops to be the same for all inputs. */
const VARIES = /\$\{|#\{|\{|%[a-zA-Z]|\\/;

const MOST = 40;

/** The fixed beginnings of what a line raises. */
function leadsOf({ code }: Line): readonly string[] {
  return [...code.matchAll(TEXT)].flatMap(match => {
    const lead = (match[1] ?? match[2] ?? match[3] ?? '').split(VARIES)[0] ?? '';
    return lead.length >= 10 && /\w \w/.test(lead) ? [lead] : [];
  });
}

/** `RomanError::BadLetter` */
const variantsOf = ({ code }: Line): readonly string[] => code.match(/\b[A-Z]\w+::[A-Z]\w+\b/g) ?? [];

interface Candidate extends LostRefusal {
  readonly isVariant: boolean;
}

/** Raised before and, as far as the change shows, not any more. */
function candidatesIn(files: readonly LookFile[], file: LookFile): readonly Candidate[] {
  if (file.change.kind !== 'modified' || file.role !== 'production' || file.removed.length === 0) return [];
  const gone = linesWith(file.removed, RAISES);
  // Where so many went, the code was written anew.
  if (gone.length === 0 || gone.length > MOST) return [];
  const added = productionLines({ files }, file);
  // Only what was taken away for something else: a feature that went altogether took its tests along.
  if (added.length === 0) return [];
  const raised = linesWith(added, RAISES);
  const fixed = raised.flatMap(({ code }) =>
    [...code.matchAll(TEXT)].map(match => match[1] ?? match[2] ?? match[3] ?? ''),
  );
  return gone.flatMap((line): readonly Candidate[] => {
    const near = raised.find(({ number }) => Math.abs(number - line.number) < 40);
    const at = near?.number ?? added.find(({ number }) => number >= line.number)?.number ?? added[0]?.number ?? 1;
    const common = { file, line: at };
    const words = leadsOf(line).flatMap((value): readonly Candidate[] => {
      const varied = /\$\{|#\{|\{\w|%[a-zA-Z]|["'`]\s*\+/.test(line.code);
      const instead = varied
        ? fixed.find(text => text.startsWith(value) && text.length > value.length && !VARIES.test(text))
        : undefined;
      const isLeft = files.some(({ after }) => after.text.includes(value));
      return isLeft && instead === undefined ? [] : [{ ...common, value, instead, isVariant: false }];
    });
    const names = variantsOf(line).flatMap((value): readonly Candidate[] => {
      const made = new RegExp(`${value}\\b(?!(?:\\s*[({][^\\n]*?[)}])?\\s*(?:=>|\\|))([^\\n]*)`, 'g');
      const left = files
        .filter(({ role }) => role === 'production')
        .flatMap(({ after }) => [...after.bare.matchAll(made)]);
      const isFixed = left.every(([text]) => /^[\w:]+\(''\)/.test(text.replace(/'[^']*'/g, "''")));
      return left.length > 0 && !isFixed ? [] : [{ ...common, value, instead: left[0]?.[0], isVariant: true }];
    });
    return [...words, ...names];
  });
}

export function lostRefusals(look: Look): readonly LostRefusal[] {
  const candidates = look.files.flatMap(file => candidatesIn(look.files, file));
  if (candidates.length === 0) return [];
  const asked = [
    ...look.files.filter(({ role }) => role === 'test').map(({ after }) => after.text),
    ...[...(look.input.unchanged ?? [])].flatMap(([path, text]) => (roleOf(path) === 'test' ? [text] : [])),
  ];
  const seen = new Set<LookFile>();
  return candidates.filter(({ file, value, instead, isVariant }) => {
    const words = isVariant ? value : (instead ?? value);
    if (seen.has(file) || !asked.some(text => text.includes(words))) return false;
    seen.add(file);
    return true;
  });
}

/** What of these has to be searched in the tests. */
export const refusalsToFind = (files: readonly LookFile[]): readonly string[] =>
  files.flatMap(file => candidatesIn(files, file).map(({ value }) => value)).slice(0, 10);
