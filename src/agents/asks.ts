/** Whether an agent's final message waits for an answer, judged only by its own words. */
import type { AgentSignal } from '../protocol.ts';
import { withoutCode } from './markdown.ts';

const ASKS = /[?？]["'”’»)\]*_~]*(?:\s|$)/u;

/** The last paragraph holds a question: somebody is to decide before the work can count as finished. */
export const asksPerson = (message: string): boolean => ASKS.test(lastParagraph(message));

/** The last paragraph where it holds a question; else nothing. */
export function questionIn(message: string): string {
  const last = lastParagraph(message);
  return ASKS.test(last) ? last.trim() : '';
}

/** Tools by which agents ask their person, by the names that Claude Code, Codex, Gemini, Qwen, opencode and others give them. */
const ASKING =
  /^(AskUserQuestion|request_user_input|ask_user|ask_user_question|ask_followup_question|ask_question|question)$/;

/**
 * The question that a session ended on, told by a tool for questions alone: nobody answered it, and no other tool was
 * called after it. What a sub-agent asks is its parent's business.
 */
export function toolQuestion(): { see(signal: AgentSignal): void; asked(): string } {
  let asked = '';
  return {
    see: signal => {
      if (signal.type === 'tool' && signal.from === undefined) asked = ASKING.test(signal.name) ? signal.detail : '';
    },
    asked: () => asked,
  };
}

function lastParagraph(message: string): string {
  const own = withoutCode(message)
    .replaceAll('\0', ' ')
    .replace(/<(lesson|used)\b[^>]{0,80}>[^<]{0,4000}<\/\1>/g, ' ');
  return (
    own
      .trimEnd()
      .split(/\n[ \t]*\n/)
      .at(-1) ?? ''
  );
}
