/** `blocked_by: T-1, T-2` and `depends_on: 1.1` under a task of a checklist. */
import { type Box, linesUnder } from './markdown.ts';

const WAITS = /^[ \t]*(?:[-*+][ \t]+)?(?:\*\*)?(?:blocked[_ -]by|depends[_ -]on)(?:\*\*)?:(?:\*\*)?[ \t]*(\S.*)$/i;
const NONE = /^(?:none|nothing|n\/a|-)$/i;

/** Ids that it names; words with a space in them are prose, and stay in its text. */
export function waitsIn(box: Box): readonly string[] {
  if (!box.under.some(words => /blocked[_ -]by|depends[_ -]on/i.test(words))) return [];
  const named = linesUnder(box)
    .flatMap(line => WAITS.exec(line)?.[1]?.split(/[,;]|\band\b/) ?? [])
    .map(word => word.replace(/[`*[\]"']|\.$/g, '').trim());
  return [...new Set(named.filter(word => word !== '' && !/\s/.test(word) && !NONE.test(word)))];
}
