/** Notes for agents in which a rule against weakening the proof gave way to a permission. */
import type { Line, Look } from '../look.ts';
import { linesWith, textOf } from '../matches.ts';
import { type Found, quote } from './rule.ts';

const TESTS = String.raw`(?:tests?|specs?|suites?|assertions?|checks?|gates?|hooks?|lint(?:er|ing)?|type ?check\w*|coverage|ci)`;
const WEAKEN = String.raw`(?:skip\w*|delet\w+|remov\w+|disabl\w+|weaken\w*|relax\w*|comment\w* out|ignor\w+|bypass\w*|xfail\w*|quarantin\w+|mut(?:e|ed|ing)|drop(?:ped|ping)?|loosen\w*|lower\w*|hard-?cod\w+|mock\w* (?:out|away)|fak\w+)`;
/** Proof and what is done to it, in either order, within one sentence. */
const ABOUT = new RegExp(
  String.raw`\b${WEAKEN}\b[^.!?\n]*\b${TESTS}\b|\b${TESTS}\b[^.!?\n]*\b${WEAKEN}\b|--no-verify\b|\bno-verify\b|\bHUSKY=0|\bskip[- ]?ci\b`,
  'i',
);
const AGAINST =
  /\b(?:never|not|don'?t|do not|cannot|can'?t|mustn'?t|shouldn'?t|must not|may not|no one|nobody|without|avoid|refuse|forbidden|prohibited|disallowed|instead of|rather than|no)\b/i;
const PERMITS =
  /\b(?:may|can|could|might|allowed|fine|okay|ok|acceptable|permitted|feel free|free to|optional|when(?:ever)?|if|unless|just|simply|prefer|use|with|go ahead|should|always|commit|push)\b|^\W*(?:skip|delete|remove|disable|bypass|ignore|use|commit|push|run)\b/i;

/** A rule that the proof has to be run, and has to pass. */
const DEMANDS = new RegExp(
  String.raw`\b(?:must|has to|have to|needs? to|always|required?|before (?:every|each|any)|never (?:commit|push|merge) (?:without|unless|until|with))\b`,
  'i',
);
const PROOF = new RegExp(String.raw`\b${TESTS}\b|\b(?:pass(?:es|ing)?|green)\b`, 'i');

/** A word of each. */
const MAY_BE_ABOUT =
  /\bpass|green|\bmust\b|always|before (?:every|each|any)|skip|delet|remov|disabl|weaken|relax|comment|ignor|bypass|xfail|quarantin|mut(?:e|ing)|drop|loosen|lower|hard-?cod|mock|fak(?:e|ing)|no-verify|HUSKY/gi;

const sentences = (lines: readonly Line[]): readonly { readonly text: string; readonly line: number }[] =>
  linesWith(lines, MAY_BE_ABOUT, textOf).flatMap(({ text, number }) =>
    text.split(/(?<=[.!?;])\s+|,\s+(?=(?:and|but)\b)/).map(part => ({ text: part, line: number })),
  );

export function turnedNotes({ files }: Pick<Look, 'files'>, isNote: (path: string) => boolean): readonly Found[] {
  return files.flatMap((file): readonly Found[] => {
    if (!isNote(file.path) || file.removed.length === 0 || file.added.length === 0) return [];
    const rules = sentences(file.removed).filter(isRule).length;
    // Said in other words, it is still there.
    if (rules === 0 || sentences(file.added).filter(isRule).length >= rules) return [];
    const allowed = sentences(file.added).find(
      ({ text }) => ABOUT.test(text) && PERMITS.test(text) && !AGAINST.test(said(text)),
    );
    if (!allowed) return [];
    const message = `${quote(allowed.text)} allows agents what a rule of ${file.path} forbade them`;
    return [{ message, path: file.path, line: allowed.line }];
  });
}

const isRule = ({ text }: { readonly text: string }): boolean =>
  (ABOUT.test(text) && AGAINST.test(said(text))) ||
  (DEMANDS.test(text) && PROOF.test(text) && !(ABOUT.test(text) && PERMITS.test(text) && !AGAINST.test(said(text))));

/** Without the flag, whose own name says no, and without reasons: what follows `when` is not what is allowed. */
const said = (text: string): string =>
  text.replace(/--?no-verify/g, '').replace(/\b(?:when|if|unless|because|since|as long as)\b.*$/i, '');
