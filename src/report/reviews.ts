/** The results of reviews, for summary, status and report. */
import { showCost, showDuration } from '../util/show.ts';
import type { ReviewRow } from './history.ts';
import { code, text } from './markdown-text.ts';
import type { ItemRow, Overview } from './overview.ts';
import { REVIEW_WORDS } from './review-lines.ts';
import { dots } from './style.ts';

/** `2 passed · 1 needs a fix`; empty if nothing was reviewed. */
export function reviewCounts({ rows }: Pick<Overview, 'rows'>): string {
  const count = (verdict: keyof typeof REVIEW_WORDS) => {
    const found = rows.filter(row => row.state.review?.verdict === verdict).length;
    return found > 0 ? `${found} ${REVIEW_WORDS[verdict].words}` : '';
  };
  return dots(count('pass'), count('needs-fix'), count('unclear'));
}

/** Items whose last review did not pass, with its words as the reason. */
export function notPassed(rows: readonly ItemRow[]): readonly ItemRow[] {
  return rows.flatMap(row => {
    const { review } = row.state;
    if (!review || review.verdict === 'pass') return [];
    const said = review.verdict === 'unclear' ? `review unclear: ${review.why}` : review.findings[0]?.text;
    return [{ ...row, why: said ?? row.why }];
  });
}

/** The section of the report about reviews; empty if there were none. */
export function reviewSection(reviews: readonly ReviewRow[]): readonly string[] {
  return reviews.length === 0 ? [] : ['## Reviews', '', ...reviews.flatMap(reviewLines), ''];
}

function reviewLines(review: ReviewRow): readonly string[] {
  const { item, round, verdict, why, fix, costUsd } = review;
  const said = why ? `: ${text(why, 300)}` : '';
  const facts = dots(showDuration(review.durationMs), costUsd > 0 ? showCost(costUsd) : '');
  return [
    `- ${text(item)}, round ${round}: **${REVIEW_WORDS[verdict].words}**${said} (${facts})${fix ? `, to be fixed by ${text(fix)}` : ''}`,
    ...review.findings.map(({ severity, file, line, text: words }) => {
      const place = file === undefined ? '' : ` ${code(line === undefined ? file : `${file}:${line}`)}`;
      return `  - ${severity}${place}: ${text(words, 500)}`;
    }),
    ...review.undone.map(what => `  - the reviewer changed what it may not, undone: ${text(what, 300)}`),
  ];
}
