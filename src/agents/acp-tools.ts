/** The tool calls of one turn over the Agent Client Protocol: each is reported once, with its result when it has ended. */
import type { AgentSignal } from '../protocol.ts';
import { type Json, recordAt, textAt } from './json-lines.ts';
import { toolDetail } from './tool-detail.ts';
import { toolResult } from './tool-result.ts';

export interface AcpTools {
  /** `fresh` where the agent began something with it. */
  see(update: Json): { readonly fresh: boolean; readonly signals: readonly AgentSignal[] };
  /** A tool was called. */
  called(): boolean;
  /** What it was not permitted to do, as far as it says so in a field of its own. */
  denied(): readonly string[];
}

export function acpTools(): AcpTools {
  /** By id; empty where it was only announced. */
  const titles = new Map<string, string>();
  const denied: string[] = [];
  let called = false;
  return {
    see: update => {
      const id = textAt(update, 'toolCallId');
      const status = textAt(update, 'status');
      const known = titles.get(id);
      const detail = toolDetail(recordAt(update, 'rawInput')) || textAt(update, 'title');
      const signals: AgentSignal[] = [];
      const fresh = known === undefined || (known === '' && detail !== '');
      // Some tell the call first and what it is about with its next state: told once, when that is known or it is over.
      const bare = status === 'pending' && recordAt(update, 'rawInput')?.command === undefined && known === undefined;
      const name = textAt(recordAt(update, '_meta'), 'toolName') || textAt(update, 'kind') || 'tool';
      if (fresh) titles.set(id, bare ? '' : `${name} ${detail}`);
      if (fresh && !bare) {
        called = true;
        signals.push({ type: 'tool', name, detail: detail.slice(0, 200), ...(id ? { id } : {}) });
      }
      if (status === 'completed' || status === 'failed') {
        if (textAt(recordAt(update, 'rawOutput'), 'code') === 'denied') denied.push(titles.get(id) ?? name);
        titles.delete(id);
        signals.push(toolResult({ text: contentText(update.content), failed: status === 'failed', id }));
      }
      return { fresh, signals };
    },
    called: () => called,
    denied: () => denied,
  };
}

/** The text of a tool's content blocks. */
function contentText(content: unknown): string {
  const blocks = Array.isArray(content) ? content : [];
  return blocks
    .map(block => textAt(recordAt(block as Json, 'content'), 'text'))
    .filter(Boolean)
    .join('\n');
}
