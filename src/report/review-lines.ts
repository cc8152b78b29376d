/** The lines about one review. */
import type { Event } from '../events.ts';
import type { ReviewVerdict } from '../protocol.ts';
import { showCost, showDuration } from '../util/show.ts';
import { detail, LISTED, listed, showUsage, withWhy } from './detail-lines.ts';
import type { Line } from './layout.ts';
import { dots, say, type Tone } from './style.ts';

export const REVIEW_WORDS: Readonly<Record<ReviewVerdict, { readonly words: string; readonly tone: Tone }>> = {
  pass: { words: 'passed', tone: 'good' },
  'needs-fix': { words: 'needs a fix', tone: 'bad' },
  unclear: { words: 'unclear', tone: 'warn' },
};

export function reviewLines(event: Extract<Event, { type: 'review.finished' }>): readonly Line[] {
  const { words, tone } = REVIEW_WORDS[event.verdict];
  const cost = event.costUsd > 0 ? showCost(event.costUsd) : '';
  const facts = dots(showDuration(event.durationMs), showUsage(event.usage), cost);
  return [
    ...(event.undone.length > 0
      ? [detail('undone', 'warn', `the reviewer changed what it may not: ${listed(event.undone)}`)]
      : []),
    ...event.findings.slice(0, LISTED).map(({ severity, text, file, line }) => {
      const place = file === undefined ? '' : say(line === undefined ? file : `${file}:${line}`);
      return detail('finding', severity === 'low' ? 'dim' : 'warn', dots(`${severity}: ${say(text, 300)}`, place));
    }),
    detail('review', tone, dots(withWhy(words, event.why), facts)),
  ];
}
