/** An agent's text over the Agent Client Protocol: it arrives in small pieces and is reported in whole lines. */
import type { AgentSignal } from '../protocol.ts';
import { endOfMessage, MESSAGE_LIMIT } from './message.ts';

export interface AcpWords {
  hear(piece: string): readonly AgentSignal[];
  /** What was heard and not told yet. */
  rest(): readonly AgentSignal[];
  /** What was said before a tool call was not the final message. */
  forget(): void;
  message(): string;
}

/** Longer messages are cut to what is kept of them anyway. */
const LONGEST = 4 * MESSAGE_LIMIT;

export function acpWords(): AcpWords {
  let message = '';
  let shown = 0;

  function tell(end: number): readonly AgentSignal[] {
    const text = message.slice(shown, end).trim();
    shown = Math.max(shown, end);
    return text ? [{ type: 'text', text }] : [];
  }

  return {
    hear: piece => {
      message += piece;
      if (message.length > LONGEST) {
        message = endOfMessage(message);
        shown = message.length;
      }
      return tell(message.lastIndexOf('\n') + 1);
    },
    rest: () => tell(message.length),
    forget: () => {
      message = '';
      shown = 0;
    },
    message: () => message,
  };
}
