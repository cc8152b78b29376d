/** One letter per iteration: the strip in every view of a run. */
import type { VerdictWord } from './types/common.ts';

const LETTERS: Readonly<Record<VerdictWord, string>> = {
  accepted: 'a',
  progress: 'p',
  rejected: 'r',
  blocked: 'b',
  retry: 't',
  aborted: 'x',
  open: 'o',
};

export const letterOf = (verdict: VerdictWord): string => LETTERS[verdict];

/** The worst verdict represents its group; an open one is always shown. */
const WORST = 'obrxtpa';

/** At most `most` letters; each then represents `scale` iterations. */
export function fitTape(letters: string, most: number): { readonly tape: string; readonly scale: number } {
  const scale = Math.max(1, Math.ceil(letters.length / most));
  if (scale === 1) return { tape: letters, scale };
  let tape = '';
  for (let at = 0; at < letters.length; at += scale) {
    const group = letters.slice(at, at + scale);
    tape += [...WORST].find(letter => group.includes(letter)) ?? group[0] ?? '';
  }
  return { tape, scale };
}
