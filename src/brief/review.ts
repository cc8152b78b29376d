/** The brief of a reviewer: an item's words, the evidence and the diff, in one template and within one budget. */
import type { Item, ReviewFinding } from '../protocol.ts';
import { plain } from '../util/show.ts';
import { type Dropped, fit } from './fit.ts';
import { counted, criterion, prose } from './pieces.ts';
import type { Templates } from './slots.ts';
import { byteLength, bytesIn } from './tokens.ts';
import { bullet, code, fenceFor, tameBackticks, untrusted, untrustedLine } from './untrusted-text.ts';

export interface ReviewBriefInput {
  readonly run: string;
  readonly item: Item;
  readonly plan: string;
  readonly owned: readonly string[];
  readonly round: number;
  readonly rounds: number;
  /** What gates and guards said when it was accepted, one fact per entry. */
  readonly evidence: readonly string[];
  /** Ids of the commits that hold the work, oldest first. */
  readonly commits: readonly string[];
  readonly patch: string;
  /** What the round before found. */
  readonly before: readonly ReviewFinding[];
  /** Why the last answer could not be read; empty where there was none. */
  readonly again: string;
  readonly templates: Pick<Templates, 'review'>;
}

/** Most of it is the diff. */
const BUDGET_TOKENS = 24_000;
const TITLE = 300;

export function buildReviewBrief(input: ReviewBriefInput): string {
  const { item } = input;
  const { text } = fit({
    template: input.templates.review,
    values: {
      run: input.run,
      id: untrustedLine(item.id, 120),
      title: untrustedLine(item.title, TITLE),
      plan: untrustedLine(input.plan, 100),
      line: String(item.line),
      round: String(input.round),
      rounds: String(input.rounds),
      owned: input.owned.map(path => code(untrustedLine(path, 100))).join(', '),
      commits: input.commits.map(commit => code(commit.slice(0, 12))).join(', '),
      again: untrustedLine(input.again, 400),
    },
    lists: [
      prose('body', item.body),
      list('criteria', item.criteria.map(criterion)),
      list('evidence', input.evidence.length > 0 ? input.evidence.map(untrusted) : ['No gates are configured.']),
      list('before', input.before.map(findingLine)),
      { name: 'files', entries: filesOf(input.patch), separator: '\n\n', keep: 'first', shorten: cutPatch },
    ],
    omitted,
    maxBytes: bytesIn(BUDGET_TOKENS),
  });
  return `${text}\n`;
}

const list = (name: string, entries: readonly string[]) =>
  ({ name, entries: entries.map(bullet), separator: '\n', keep: 'first' }) as const;

const omitted = ({ body = 0, criteria = 0, files = 0 }: Dropped): string =>
  [counted(body, 'paragraph'), counted(criteria, 'point'), counted(files, 'changed file')].filter(Boolean).join(', ');

/** `high, src/a.ts:3: what is wrong`. */
function findingLine({ severity, text, file, line }: ReviewFinding): string {
  const place = file === undefined ? '' : `, ${code(line === undefined ? file : `${file}:${line}`)}`;
  return `${severity}${place}: ${untrustedLine(text, 2000)}`;
}

/** One fenced block for each file of a patch. */
function filesOf(patch: string): readonly string[] {
  return plain(patch)
    .split(/^(?=diff --git )/m)
    .filter(part => part.trim() !== '')
    .map(part => fenced(tameBackticks(part.trimEnd())));
}

function fenced(text: string): string {
  const fence = fenceFor(text);
  return `${fence}diff\n${text}\n${fence}`;
}

/** A patch is no prose: its first lines say more than nothing. */
function cutPatch(entry: string, maxBytes: number): string | undefined {
  const lines = entry.split('\n').slice(1, -1);
  const kept: string[] = [];
  let room = maxBytes - 80;
  for (const line of lines) {
    room -= byteLength(line) + 1;
    if (room < 0) break;
    kept.push(line);
  }
  return kept.length > 4 ? fenced([...kept, '… the rest of this file is left out here'].join('\n')) : undefined;
}
