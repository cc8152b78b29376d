/** Which parts of a message are the agent's own words: everything but code, comments and quotations. Linear in time. */

/** A code fence or an HTML comment that has begun and not ended. */
export type OpenBlock = { readonly type: 'fence'; readonly mark: string } | { readonly type: 'comment' } | undefined;

const BLANK = '\0';
const FENCE = /^[ \t]*(`{3,}|~{3,})(.*)$/s;

/** The block that is open after this line, given the one before it. */
export function continueBlock(open: OpenBlock, line: string): OpenBlock {
  if (open?.type === 'fence') return closesFence(line, open.mark) ? undefined : open;
  const rest = open ? line.indexOf('-->') : 0;
  if (rest < 0) return open;
  if (!open) {
    const mark = fenceMark(line);
    if (mark) return { type: 'fence', mark };
  }
  return line.lastIndexOf('<!--') > line.lastIndexOf('-->') ? { type: 'comment' } : undefined;
}

/** The line that puts a reader into the same block again. */
export function reopen(open: OpenBlock): string {
  if (!open) return '';
  return open.type === 'fence' ? `${open.mark}\n` : '<!--\n';
}

function fenceMark(line: string): string | undefined {
  const [, mark = '', info = ''] = FENCE.exec(line) ?? [];
  // Backticks after a backtick fence make it inline code.
  return mark && !(mark[0] === '`' && info.includes('`')) ? mark : undefined;
}

function closesFence(line: string, mark: string): boolean {
  const [, closing = '', info = ''] = FENCE.exec(line) ?? [];
  return closing.length >= mark.length && closing[0] === mark[0] && info.trim() === '';
}

/** The lines that are neither in a code fence or a comment nor quoted; what is in `backticks` stays. */
export function proseOf(text: string): string {
  let open: OpenBlock;
  const lines = text.split('\n').filter(line => {
    const before = open;
    open = continueBlock(open, line);
    return !before && !open && !/^\s*(?:>|```|~~~)/.test(line);
  });
  return lines.join('\n');
}

/** The same text, as long as it was, with code (fenced, indented, inline), comments and blockquotes blanked out. */
export function withoutCode(text: string): string {
  const spans = codeSpans(text);
  const out: string[] = [];
  let fence = '';
  // Everything before this offset is inside inline code or a comment.
  let skip = 0;
  let at = 0;
  for (const line of text.split('\n')) {
    const end = at + line.length;
    if (fence) {
      out.push(blank(line));
      if (closesFence(line, fence)) fence = '';
    } else if (skip <= at && (fence = fenceMark(line) ?? '') !== '') {
      out.push(blank(line));
    } else if (skip <= at && /^(?: {4}|[ ]{0,3}\t|\s*>)/.test(line)) {
      out.push(blank(line));
    } else {
      const [kept, next] = inline(text, { from: at, to: end, skip, spans });
      out.push(kept);
      skip = next;
    }
    at = end + 1;
  }
  return out.join('\n');
}

interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly skip: number;
  readonly spans: ReadonlyMap<number, number>;
}

/** One line with its inline code and comments blanked, and where the last of them ends. */
function inline(text: string, { from, to, skip, spans }: Stretch): readonly [string, number] {
  let kept = '';
  let at = from;
  let until = skip;
  while (at < to) {
    if (at < until) {
      const stop = Math.min(until, to);
      kept += BLANK.repeat(stop - at);
      at = stop;
      continue;
    }
    const span = text[at] === '`' ? spans.get(at) : undefined;
    if (span !== undefined) until = span;
    else if (text[at] === '<' && text.startsWith('<!--', at)) {
      const close = text.indexOf('-->', at + 4);
      until = close < 0 ? text.length + 1 : close + 3;
    } else if (text[at] === '`') {
      // A run of backticks that nothing closes is text, and so is every shorter part of it.
      const start = at;
      while (at < to && text[at] === '`') at += 1;
      kept += text.slice(start, at);
    } else {
      kept += text[at] ?? '';
      at += 1;
    }
  }
  return [kept, until];
}

/** Start of each inline code span to its end: a run of backticks and the next as long one in the same paragraph. */
function codeSpans(text: string): ReadonlyMap<number, number> {
  const runs = [...text.matchAll(/`+/g)].map(match => ({ at: match.index, length: match[0].length }));
  const breaks = [...text.matchAll(/^(?:[ \t]*$|[ \t]*(?:```|~~~))/gm)].map(match => match.index);
  const spans = new Map<number, number>();
  const latest = new Map<number, number>();
  let paragraph = breaks.length - 1;
  for (let index = runs.length - 1; index >= 0; index--) {
    const run = runs[index];
    if (!run) continue;
    while (paragraph >= 0 && (breaks[paragraph] ?? 0) > run.at) {
      latest.clear();
      paragraph -= 1;
    }
    const close = latest.get(run.length);
    if (close !== undefined) spans.set(run.at, close + run.length);
    latest.set(run.length, run.at);
  }
  return spans;
}

const CLOSERS: Readonly<Record<string, string>> = { '"': '"', '“': '”"', '„': '“”', '«': '»' };

/** The same text with what is in double or typographic quotes on one line blanked out. */
export function withoutQuotes(text: string): string {
  return text.split('\n').map(withoutQuotesInLine).join('\n');
}

function withoutQuotesInLine(line: string): string {
  if (!/["“„«]/.test(line)) return line;
  let kept = '';
  let from = 0;
  const dead = new Set<string>();
  for (let at = 0; at < line.length; at++) {
    const opener = line[at] ?? '';
    const closers = CLOSERS[opener];
    if (closers === undefined || dead.has(opener) || line[at - 1] === '\\') continue;
    const close = closing(line, at + 1, closers);
    // Nothing closes this one, so nothing closes a later one of its kind: the line is read once per kind at most.
    if (close < 0) dead.add(opener);
    else {
      kept += line.slice(from, at) + BLANK.repeat(close + 1 - at);
      from = close + 1;
      at = close;
    }
  }
  return kept + line.slice(from);
}

function closing(line: string, from: number, closers: string): number {
  for (let at = from; at < line.length; at++) {
    if (closers.includes(line[at] ?? '') && line[at - 1] !== '\\') return at;
  }
  return -1;
}

const blank = (line: string): string => BLANK.repeat(line.length);
