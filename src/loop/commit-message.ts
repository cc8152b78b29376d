/** The commit message of an accepted item: a conventional subject, the agent's summary, and trailers that name the run. */
import { proseOf } from '../agents/index.ts';
import { redact } from '../audit/index.ts';
import type { COMMIT_FIELDS } from '../config/index.ts';
import type { Item, Verdict } from '../protocol.ts';
import { wrap } from '../report/index.ts';
import { oneLine, plain } from '../util/show.ts';

export interface MessageInput {
  readonly run: string;
  readonly item: Pick<Item, 'id' | 'title' | 'body'>;
  readonly iteration: number;
  readonly verdict: Verdict;
  readonly gates: readonly string[];
  /** The agent's final message. */
  readonly said: string;
  /** The agent and its model: `claude, sonnet`. */
  readonly agent: string;
  /** What confined the agent and the gates. */
  readonly sandbox?: string | undefined;
  /** From ralph.yaml; absent means the built-in template. */
  readonly template?: string | undefined;
}

const SUBJECT = 100;
const SUMMARY = 600;
const WIDTH = 72;

/** Trailers come last, whatever the template says: a restart finds an item's commit by them. */
export function commitMessage(input: MessageInput): string {
  const { item, run, iteration, verdict, gates } = input;
  const summary = wrapped(redact(plain(summaryOf(input.said))));
  const fields: Readonly<Record<(typeof COMMIT_FIELDS)[number], string>> = {
    type: typeOf(item),
    scope: item.id.replace(/[^\p{L}\p{M}\p{N}._-]+/gu, '-'),
    id: oneLine(item.id, 200),
    title: oneLine(item.title, SUBJECT),
    summary,
    run,
    iteration: String(iteration),
  };
  const text =
    input.template === undefined
      ? `${subjectOf(item) ?? `${fields.type}(${fields.scope}): ${fields.title}`}\n\n${summary}`
      : fill(input.template, fields);
  const trailers = [
    `Ralph-Run: ${run}`,
    `Ralph-Item: ${fields.id}`,
    `Ralph-Iteration: ${iteration}`,
    `Ralph-Gates: ${gates.length > 0 ? oneLine(gates.join(', '), 200) : 'none'}`,
    `Ralph-Agent: ${oneLine(input.agent, 100)}`,
    ...(input.sandbox === undefined ? [] : [`Ralph-Sandbox: ${input.sandbox}`]),
    ...(verdict.type === 'progress' ? ['Ralph-Done: no'] : []),
    ...(verdict.type === 'accepted' && verdict.settled ? ['Ralph-Claim: none (settled)'] : []),
  ];
  return `${text.trim() || fields.title}\n\n${trailers.join('\n')}\n`;
}

const wrapped = (text: string): string =>
  text
    .split('\n')
    .flatMap(line => wrap(line, WIDTH))
    .join('\n');

/** Empty fields leave no extra blank lines. */
function fill(template: string, fields: Readonly<Record<string, string>>): string {
  return template
    .split('\n')
    .map(line => line.replace(/\{(\w+)\}/g, (all, name: string) => fields[name] ?? all).trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n');
}

const CONVENTIONAL =
  /^(?:feat|fix|docs|test|refactor|perf|style|chore|build|ci|revert)(?:\([^()\n]{1,60}\))?!?: \S.{2,}$/;

const HEADING = /^#{1,6}[ \t]/;

/** The subject that the item itself gives: a conventional title, or a conventional line in its text that is about the commit. */
function subjectOf({ title, body }: MessageInput['item']): string | undefined {
  if (CONVENTIONAL.test(title.trim())) return oneLine(title, SUBJECT);
  let section = '';
  for (const line of body.split('\n')) {
    if (HEADING.test(line)) section = line;
    if (!/\bcommit\b/i.test(line) && !/\bcommit\b/i.test(section)) continue;
    const quoted = [...line.matchAll(/["'`]([^"'`]{6,})["'`]/g)].map(([, text = '']) => text);
    const after = /\bcommit(?: (?:message|subject))?\W*[:=]\W*(.+)$/i.exec(line)?.[1] ?? '';
    const given = [...quoted, after, line]
      .map(text => text.trim())
      .find(text => CONVENTIONAL.test(text) && !/[<>{}]|\.\.\./.test(text));
    if (given !== undefined) return oneLine(given, SUBJECT);
  }
  return undefined;
}

const TYPES: readonly (readonly [type: string, words: RegExp])[] = [
  ['fix', /^(?:fix|fixes|repair|correct|resolve|hotfix|bug)\b/i],
  ['docs', /^(?:docs?|document|readme)\b/i],
  ['test', /^(?:tests?|add (?:\w+ )?tests?|write (?:\w+ )?tests?|cover)\b/i],
  ['refactor', /^(?:refactor|rename|extract|move|simplify|clean up)\b/i],
  ['perf', /^(?:perf|speed up|optimi[sz]e)\b/i],
  ['chore', /^(?:chore|bump|upgrade|update dependenc)/i],
];

function typeOf({ id, title }: MessageInput['item']): string {
  if (/^fix-/i.test(id)) return 'fix';
  return TYPES.find(([, words]) => words.test(title.trim()))?.[0] ?? 'feat';
}

/** Lines that address the runner or advertise a tool do not describe the change. */
const NOISE =
  /^(?:co-authored-by|signed-off-by|generated (?:with|by)|ralph-[\w-]+)\s*:?|RALPH_TASK_|<\/?(?:promise|lesson|used)\b/i;

/** The first paragraph of prose in the agent's message, cut at the end of a sentence. */
export function summaryOf(said: string): string {
  for (const paragraph of proseOf(said).split(/\n\s*\n/)) {
    const lines = paragraph.split('\n').map(line => line.replace(/^#+\s+.*$/, '').trim());
    const text = lines.filter(line => line !== '' && !NOISE.test(line)).join('\n');
    const flat = isList(text) ? text : text.replace(/\s*\n\s*/g, ' ');
    const clean = flat
      .replaceAll('**', '')
      .replace(/\[([^\]]+)\]\([^)]*\)/g, '$1')
      .trim();
    if (clean.length > 2 && /\p{L}{3}/u.test(clean)) return bounded(clean);
  }
  return '';
}

const isList = (text: string): boolean => /^(?:[-*•]|\d+[.)]) /.test(text);

function bounded(text: string): string {
  if (text.length <= SUMMARY) return text;
  const cut = text.slice(0, SUMMARY);
  const end = Math.max(cut.lastIndexOf('. '), cut.lastIndexOf('\n'));
  return end > SUMMARY / 3 ? cut.slice(0, end + 1).trimEnd() : `${cut.slice(0, cut.lastIndexOf(' ')).trimEnd()} …`;
}
