/**
 * Finds unfinished syntax in a Markdown plan: a box, a marker, a tag or front matter that is opened and never closed. A
 * run would act on half of what was meant, so such a plan is not run.
 */
import type { Problem } from '../protocol.ts';
import { type Line, linesOf } from './ecosystems/lines.ts';

/** `- [ T003 words` and `- [x words`, without a closing bracket. */
const BOX = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+\[[xX~-]?[ \t]+[^\]]*$/;
/** `[BLOCKED: words`, to the end of the line. */
const MARKER = /\[(?:BLOCKED|SKIPPED|DEFERRED|NEEDS-FIX|REVIEWED)\b[^\]]*$/;
/** `[P [US1] words` and `[US1 words`, before the words of a task. */
const TAG = /^(?:\S+[ \t]+)?(?:\[[^\][]{1,40}\][ \t]*)*(\[(?:P|US\d+)\b(?![^\][]*\])[^\s[]*)/;
/** `- [ ]T006`: the checklist parser does not read it as a task, and nobody would notice. */
const TIGHT = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+\[[ xX]\]\w/;
const STRUCK = /^(?:\[[^\]]*\][ \t]*)*~~(?!.*~~)/;
/** `_Depends: 1.2`, without the underscore that ends it. */
const DEPENDS = /_Depends(?: on)?:[^_]*$/i;
const SETTINGS = /^\uFEFF?---[ \t]*\r?\n[A-Za-z_][\w-]*[ \t]*:/;

/** Cheap patterns that rule out nearly every plan before its lines are parsed. */
const WORTH_A_LOOK = [
  /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+\[[xX~-]?[ \t]+[^\]\n]*$/m,
  /\[(?:BLOCKED|SKIPPED|DEFERRED|NEEDS-FIX|REVIEWED)\b[^\]\n]*$/m,
  /\[(?:P|US\d+)\b(?![^\][\n]*\])/,
  /\][ \t]+(?:\[[^\]\n]*\][ \t]*)*~~/,
  /_Depends(?: on)?:[^_\n]*$/im,
  /\[[ xX]\]\w/,
];

/** Problems of unfinished syntax. `spaced`: the format needs a space after a box. */
export function halfWritten(text: string, { spaced }: { readonly spaced: boolean }): readonly Problem[] {
  const open =
    SETTINGS.test(text) && !/\n(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/.test(text.slice(3)) ? [unclosedSettings] : [];
  if (!WORTH_A_LOOK.some(pattern => pattern.test(text))) return open;
  const lines = linesOf(text).filter(({ hidden }) => hidden === undefined);
  // A file without any box is not a task list, and its brackets mean nothing.
  if (!lines.some(({ box }) => box !== undefined)) return open;
  return [...open, ...lines.flatMap(line => (spaced && TIGHT.test(line.text) ? [tight(line)] : problemOf(line)))];
}

const unclosedSettings: Problem = {
  level: 'error',
  line: 1,
  column: 1,
  message:
    'the settings at the top are not closed, so it is not clear where the plan begins; add a line of --- after them',
};

const tight = ({ number }: Line): Problem => ({
  level: 'error',
  line: number,
  column: 1,
  message: 'a box without a space after it is not read as a task; write it as "- [ ] words"',
});

function problemOf(line: Line): readonly Problem[] {
  const { text, number, box } = line;
  const wrong = (part: string, what: string): readonly Problem[] => [
    { level: 'error', line: number, column: Math.max(text.indexOf(part), 0) + 1, message: what },
  ];
  if (!box) {
    const part = text.trim();
    if (BOX.test(text)) return wrong(part, 'a box is begun and not closed; write it as "- [ ]" or "- [x]"');
    if (DEPENDS.test(text)) return wrong('_Depends', 'what it depends on is not closed; put a "_" after it');
    return [];
  }
  if (box.mark === 'x' || box.mark === 'X') return [];
  const marker = MARKER.exec(box.text)?.[0];
  if (marker !== undefined)
    return wrong(
      marker,
      `the marker "${marker.slice(0, 40)}" is not closed on its line, so it says nothing; put a "]" after it`,
    );
  const tag = TAG.exec(box.text)?.[1];
  if (tag !== undefined) return wrong(tag, `the tag "${tag}" is not closed; put a "]" after it`);
  return STRUCK.test(box.text)
    ? wrong('~~', 'it is struck out at its beginning only; put "~~" at its end too, or take it away')
    : [];
}
