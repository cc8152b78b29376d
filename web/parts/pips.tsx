/** The attempts at an item as small seals. */
import { Seal } from './seal.tsx';
import { VERDICTS, verdictOf } from './words.ts';

const MOST = 8;

export function Pips({ tape }: { readonly tape: string }) {
  const verdicts = [...tape].map(verdictOf);
  const words = verdicts.map(verdict => VERDICTS[verdict][1]).join(', ');
  const left = Math.max(0, verdicts.length - MOST);
  if (verdicts.length === 0) return null;
  return (
    <span class="pips" role="img" aria-label={words}>
      {left > 0 ? <span class="quiet">{left}+</span> : null}
      {verdicts.slice(-MOST).map((verdict, index) => (
        <Seal key={index} name={VERDICTS[verdict][0]} size={11} />
      ))}
    </span>
  );
}
