/** Reads and writes the text of a tracker's copy, which is what a run reads. */
import type { SourceIssue } from '../../protocol.ts';
import { isRecord, parseJson } from '../../util/json.ts';

/** The state of an issue outside the plan that issues of the plan wait for. */
export type Elsewhere = 'open' | 'closed' | 'unknown';

export interface TrackerCopy {
  /** As the user types it: `github:owner/repo#label`. */
  readonly tracker: string;
  /** When the tracker was last fetched, in readable form. */
  readonly fetched: string;
  readonly issues: readonly SourceIssue[];
  /** By id. */
  readonly elsewhere: Readonly<Record<string, Elsewhere>>;
  /** Ids of issues that left the plan, because their label or milestone was removed. */
  readonly left: readonly string[];
}

export const writeCopy = (copy: TrackerCopy): string => `${JSON.stringify(copy, undefined, 2)}\n`;

/** Parses a copy; undefined for any text that `writeCopy` did not write. */
export function readCopy(text: string): TrackerCopy | undefined {
  const value = parseJson(text);
  if (!isRecord(value) || typeof value['tracker'] !== 'string' || !Array.isArray(value['issues'])) return undefined;
  const issues = value['issues'].map(issueOf);
  if (issues.some(issue => issue === undefined)) return undefined;
  const { elsewhere, left, fetched } = value;
  return {
    tracker: value['tracker'],
    fetched: typeof fetched === 'string' ? fetched : '',
    issues: issues.flatMap(issue => issue ?? []),
    elsewhere: isRecord(elsewhere) ? (elsewhere as Record<string, Elsewhere>) : {},
    left: strings(left),
  };
}

const strings = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : [];

function issueOf(value: unknown): SourceIssue | undefined {
  if (!isRecord(value) || typeof value['id'] !== 'string' || value['id'] === '') return undefined;
  const { id, title, body, labels, state, url, priority, blockedBy } = value;
  return {
    id,
    title: typeof title === 'string' ? title : '',
    body: typeof body === 'string' ? body : '',
    labels: strings(labels),
    state: state === 'closed' ? 'closed' : 'open',
    ...(typeof url === 'string' ? { url } : {}),
    ...(typeof priority === 'number' ? { priority } : {}),
    ...(blockedBy === undefined ? {} : { blockedBy: strings(blockedBy) }),
  };
}
