/** What a reviewer says about an item, read only from its final message and only from its own words in it. */
import type { ReviewFinding } from '../protocol.ts';
import { oneLine, plain } from '../util/show.ts';
import { withoutCode } from './markdown.ts';

export type SaidReview =
  | { readonly verdict: 'pass' | 'needs-fix'; readonly findings: readonly ReviewFinding[] }
  /** Never a pass: what cannot be read has to be asked for again. */
  | { readonly verdict: 'unclear'; readonly why: string };

const FINDINGS = 20;
const FINDING_CHARS = 1500;
const PATH_CHARS = 300;

/** `<review verdict="...">` with its findings, outside code, comments and blockquotes; exactly one of them. */
export function readReview(said: string): SaidReview {
  // Tags are often indented, and four spaces would make them code.
  const message = said.replace(/^[ \t]+(?=<\/?(?:review|finding)\b)/gm, '');
  const own = withoutCode(message);
  const opens = [...own.matchAll(/<review\b([^<>\0]{0,200})>/g)];
  const [open] = opens;
  if (!open) return unclear(noReview(message));
  if (opens.length > 1) return unclear('the answer holds more than one <review>');
  const start = open.index + open[0].length;
  const end = own.indexOf('</review>', start);
  if (end < 0) return unclear('the <review> is not closed');
  const verdict = attribute(open[1] ?? '', 'verdict');
  if (verdict !== 'pass' && verdict !== 'needs-fix') {
    return unclear(
      `the verdict is ${verdict === undefined ? 'missing' : `"${oneLine(verdict, 40)}"`}, not pass or needs-fix`,
    );
  }
  const findings = readFindings({ message, own, from: start, to: end });
  if (findings === undefined)
    return unclear('a <finding> is not closed, is empty, or has no severity high, medium or low');
  const serious = findings.find(({ severity }) => severity !== 'low');
  if (verdict === 'pass' && serious)
    return unclear(`it says pass, but names a finding of severity ${serious.severity}`);
  if (verdict === 'needs-fix' && findings.length === 0) return unclear('it says needs-fix, but names no finding');
  return { verdict, findings };
}

const unclear = (why: string): SaidReview => ({ verdict: 'unclear', why });

const noReview = (message: string): string =>
  message.includes('<review') ? 'its <review> is inside a code block or a quotation' : 'the answer holds no <review>';

interface Body {
  readonly message: string;
  /** The message with everything blanked that is not the reviewer's own word; offsets are the same. */
  readonly own: string;
  readonly from: number;
  readonly to: number;
}

/** Undefined where one of them cannot be read: half a review is none. */
function readFindings({ message, own, from, to }: Body): readonly ReviewFinding[] | undefined {
  const findings: ReviewFinding[] = [];
  for (let at = from; ; ) {
    const open = own.indexOf('<finding', at);
    if (open < 0 || open >= to) return findings;
    const tag = /^<finding\b([^<>\0]{0,600})>/.exec(own.slice(open, open + 700));
    const close = own.indexOf('</finding>', open);
    const next = own.indexOf('<finding', open + 1);
    if (!tag || close < 0 || close > to || (next >= 0 && next < close)) return undefined;
    const finding = findingOf(tag[1] ?? '', message.slice(open + tag[0].length, close));
    if (!finding) return undefined;
    if (findings.length < FINDINGS) findings.push(finding);
    at = close;
  }
}

function findingOf(attributes: string, raw: string): ReviewFinding | undefined {
  const severity = attribute(attributes, 'severity');
  const text = oneLine(raw.slice(0, 4 * FINDING_CHARS), FINDING_CHARS);
  if (text === '' || (severity !== 'high' && severity !== 'medium' && severity !== 'low')) return undefined;
  const file = plain(attribute(attributes, 'file') ?? '').slice(0, PATH_CHARS);
  const line = Number.parseInt(attribute(attributes, 'line') ?? '', 10);
  return { severity, text, ...(file ? { file } : {}), ...(line > 0 ? { line } : {}) };
}

function attribute(attributes: string, name: string): string | undefined {
  const found = new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"']+))`).exec(attributes);
  return found?.[1] ?? found?.[2] ?? found?.[3];
}
