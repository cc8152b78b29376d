/** Checks of production code whose failure is caught where it is raised: they find out and nobody hears of it. */
import { indentOf } from '../../util/text.ts';
import { isCode } from '../language.ts';
import type { Look, LookFile, Side } from '../look.ts';
import { allMatches, linesWith } from '../matches.ts';
import { productionLines } from '../production.ts';
import { closing } from '../tests/brackets.ts';
import { type Found, quote } from './rule.ts';

const CATCHES = /\b(?:catch|except|rescue|suppress)\b/g;
const TRY = /\btry\s*\{|\bdo\s*\{/g;

/** What only talks, or does nothing. */
const TALK =
  /^(?:pass|\.\.\.|nil|null|return|_\s*=\s*\w+|\(?void\)?\s*\w+|(?:await\s+)?(?:[\w.$@:>-]*\b(?:log(?:ger|ging)?|console|slog|Log|Logger|tracing|Console|Debug|System\.(?:out|err)|warnings|Sentry|capture\w*)\b[\w.$:>-]*|print(?:ln|f)?!?|puts|warn|echo|error_log|NSLog|\w+\.printStackTrace)\b\s*[\s(][^\n]*)[;)}\s]*$/i;

const isQuiet = (body: string): boolean =>
  body
    .split('\n')
    .map(line => line.trim())
    .every(line => line === '' || /^[)\]};]+$/.test(line) || TALK.test(line));

const says = (body: string): boolean => /\w\s*\(|\bputs\b|\bwarn\b/.test(body);

interface Silenced {
  /** Of the handler, from 1. */
  readonly line: number;
  readonly raised: string;
}

interface Block {
  readonly from: number;
  readonly to: number;
  readonly handlers: readonly { readonly line: number; readonly types: string; readonly body: string }[];
}

/** Lines from `from` up to `to`, both from 0; only those with a handler that keeps quiet. */
function bracedBlocks({ bare, code }: Side): readonly Block[] {
  const lineAt = (at: number) => bare.slice(0, at).split('\n').length - 1;
  return allMatches(bare, TRY).flatMap((match): readonly Block[] => {
    const open = match.index + match[0].length - 1;
    const close = closing(bare, open);
    const handlers: { at: number; types: string; body: string }[] = [];
    for (let next = close + 1; ; ) {
      const head = HANDLER.exec(bare.slice(next, next + 300));
      if (!head) break;
      const start = next + head[0].length - 1;
      const end = closing(bare, start);
      handlers.push({ at: next + head[0].indexOf('catch'), types: head[1] ?? '', body: code.slice(start + 1, end) });
      next = end + 1;
    }
    const quiet = handlers.filter(({ body }) => isQuiet(body));
    if (quiet.length === 0 || !/\bthrow\b/.test(bare.slice(open, close))) return [];
    const placed = quiet.map(({ at, types, body }) => ({ line: lineAt(at) + 1, types, body }));
    return [{ from: lineAt(open), to: lineAt(close), handlers: placed }];
  });
}

const HANDLER = /^\s*catch\b\s*(\([^)]*\)|[\w\s.:]*?)?\s*\{/;
/** `try:` and `begin`, with what follows them at the same depth; `with suppress(…):` has no handler of its own. */
function indentedBlocks({ codeLines: lines }: Side): readonly Block[] {
  const endOf = (from: number) => {
    const indent = indentOf(lines[from] ?? '');
    let at = from + 1;
    while (at < lines.length && ((lines[at] ?? '').trim() === '' || indentOf(lines[at] ?? '') > indent)) at += 1;
    return at;
  };
  return lines.flatMap((line, at): readonly Block[] => {
    const suppressed = /^\s*with\s+(?:contextlib\.)?suppress\(([^)]*)\)\s*:/.exec(line);
    if (suppressed)
      return [{ from: at, to: endOf(at), handlers: [{ line: at + 1, types: suppressed[1] ?? '', body: '' }] }];
    if (!/^\s*(?:try\s*:|begin\b|def\s+[\w.?!]+(?:\(.*\))?\s*$)/.test(line)) return [];
    const to = endOf(at);
    const handlers: { line: number; types: string; body: string }[] = [];
    for (let next = to; ; ) {
      const head = /^\s*(?:except|rescue)\b([^:\n]*?)(?:\s+as\s+\w+|\s*=>\s*\w+)?\s*:?\s*$/.exec(lines[next] ?? '');
      if (!head || indentOf(lines[next] ?? '') !== indentOf(line)) break;
      const end = endOf(next);
      handlers.push({ line: next + 1, types: head[1] ?? '', body: lines.slice(next + 1, end).join('\n') });
      next = end;
    }
    return handlers.length === 0 ? [] : [{ from: at, to, handlers }];
  });
}

const RAISES = /^\s*(?:(?:else|elif|if|unless)\b[^\n]*?\s)?\}?\s*(?:throw|raise)\b\s*(?:new\s+)?([\w.:\\]*)/;
const ALL =
  /^[\s(]*(?:(?:final\s+)?\\?(?:\w+[.\\])*(?:Exception|Throwable|BaseException|RuntimeException|StandardError|Error)\b[\s$\w|]*|(?:const\s+)?(?:\w+(?:\s*:\s*\w+)?)?)[\s)]*$/;

/** Whether a handler takes what is raised; a name alone is that of the error. */
function takes(types: string, raised: string, language: LookFile['language']): boolean {
  const own = raised.split(/[.:\\]+/).at(-1) ?? '';
  if (own !== '' && new RegExp(`\\b${own}\\b`).test(types)) return true;
  const isTyped = language === 'python' || language === 'ruby';
  return isTyped ? types.trim() === '' || /\b(?:BaseException|Exception|StandardError)\b/.test(types) : ALL.test(types);
}

export function silencedChecks(look: Look, file: LookFile): readonly Found[] {
  const added = productionLines(look, file);
  if (file.change.kind !== 'modified' || added.length === 0 || !isCode(file.language)) return [];
  if (linesWith(added, CATCHES).length === 0 || !/\b(?:throw|raise)\b/.test(file.before.bare)) return [];
  const isNew = new Set(added.map(({ number }) => number));
  const old = new Set(file.before.codeLines.map(line => line.trim()));
  const blocksOf = /^(?:python|ruby|elixir)$/.test(file.language) ? indentedBlocks : bracedBlocks;
  return blocksOf(file.after).flatMap((block): readonly Found[] => {
    const handler = block.handlers.find(({ line, body }) => isNew.has(line) && isQuiet(body));
    if (!handler) return [];
    const found = raisedIn(file, block, handler.types, old);
    // It was forgotten before, in other words.
    const wasSo = ({ from, to, handlers }: Block) =>
      handlers.some(({ body }) => isQuiet(body)) &&
      file.before.codeLines.slice(from, to).some(line => line.trim() === found?.raised);
    if (found && blocksOf(file.before).some(wasSo)) return [];
    // One of many may fail without the others, where somebody is told.
    if (!found || (says(handler.body) && isInLoop(file.after.codeLines, block.from))) return [];
    const message = `${quote(found.raised)} is caught where it is raised and forgotten, so that the check can no longer fail`;
    return [{ message, path: file.path, line: found.line }];
  });
}

/** Something in the block that was raised before, too, and that its handler takes. */
function raisedIn(
  { after, language }: LookFile,
  block: Block,
  types: string,
  old: ReadonlySet<string>,
): Silenced | undefined {
  for (let at = block.from + 1; at < block.to; at++) {
    const line = after.codeLines[at] ?? '';
    const raised = RAISES.exec(line);
    if (raised && old.has(line.trim()) && takes(types, raised[1] ?? '', language))
      return { line: at + 1, raised: line.trim() };
  }
  return undefined;
}

function isInLoop(lines: readonly string[], from: number): boolean {
  let indent = indentOf(lines[from] ?? '');
  for (let at = from - 1; at >= Math.max(0, from - 60); at--) {
    const line = lines[at] ?? '';
    if (line.trim() === '' || indentOf(line) >= indent) continue;
    indent = indentOf(line);
    if (/\b(?:for|while|foreach|each|forEach|map|loop|until)\b/.test(line)) return true;
  }
  return false;
}
