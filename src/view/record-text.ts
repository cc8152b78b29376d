/** A record of the journal as one line for the event stream; empty if there is nothing to show. */
import type { Recorded } from '../events.ts';
import { describeStop, verdictReason } from '../report/index.ts';
import { oneLine, plural } from '../util/show.ts';

export const recordWords = (record: Recorded): string => oneLine(wordsOf(record), 300);

function wordsOf(record: Recorded): string {
  switch (record.type) {
    case 'iteration.started':
      return `${record.item} ${record.title}: attempt ${record.attempt} begins`;
    case 'verdict':
      return `${record.item} ${WORDS[record.verdict.type]}: ${verdictReason(record.verdict)}`;
    case 'iteration.aborted':
      return `${record.item} was interrupted: ${record.why}`;
    case 'wait.started':
      return `Waiting: ${record.why}`;
    case 'wait.ended':
      return 'The wait is over';
    case 'item.marked':
      return `${record.item} is ${record.to}: ${record.why}`;
    case 'item.retried':
      return `${record.item} is tried again`;
    case 'item.added':
      return `${record.item} is added: ${record.why}`;
    case 'review.finished':
      return `Review of ${record.item}: ${record.verdict}${record.findings.length > 0 ? `, ${plural(record.findings.length, 'finding')}` : ''}`;
    case 'paused':
      return 'Paused';
    case 'unpaused':
      return 'Resumed';
    case 'steered':
      return `Steered: ${record.text}`;
    case 'run.finished':
      return describeStop(record.reason, record.why);
    default:
      return '';
  }
}

const WORDS = {
  accepted: 'is proven',
  progress: 'continues',
  rejected: 'is refused',
  blocked: 'is blocked',
  retry: 'is tried again',
} as const;
