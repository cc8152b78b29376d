/** A tool's result, short enough to keep: the first lines, or all of an error. */
import type { AgentSignal } from '../protocol.ts';
import { isRecord } from '../util/json.ts';
import { textAt } from './json-lines.ts';

export interface ToolAnswer {
  readonly text: string;
  readonly failed: boolean;
  readonly id?: string;
  readonly from?: string;
}

const KEPT = { lines: 12, chars: 2_000 };
/** An error is what a person looks for: it is kept as a whole, as far as anybody reads. */
const KEPT_OF_ERRORS = { lines: 400, chars: 24_000 };

export function toolResult({ text, failed, id, from }: ToolAnswer): AgentSignal {
  const whole = text.trimEnd();
  const most = failed ? KEPT_OF_ERRORS : KEPT;
  const lines = whole === '' ? 0 : countLines(whole);
  return {
    type: 'result',
    text: firstLines(whole.slice(0, most.chars), most.lines),
    lines,
    ...(failed ? { failed } : {}),
    ...(id ? { id } : {}),
    ...(from ? { from } : {}),
  };
}

/** The text of an answer that is a text, or a list of parts some of which are. */
export function answerText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map(part => (isRecord(part) ? textAt(part, 'text') || `[${textAt(part, 'type') || 'data'}]` : String(part)))
    .join('\n');
}

function countLines(text: string): number {
  let count = 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

function firstLines(text: string, most: number): string {
  let at = -1;
  for (let n = 0; n < most; n++) {
    at = text.indexOf('\n', at + 1);
    if (at < 0) return text;
  }
  return text.slice(0, at);
}
