import { agentNamed } from '../../src/agents/known.ts';
import type { Agent, AgentOutcome, AgentSignal, ProcessEnd } from '../../src/protocol.ts';
import { processEnd } from '../support/process-end.ts';

/** Plays records through an agent's reader as the lines of a finished process. */
export function play(
  agent: Agent,
  records: readonly unknown[],
  end: Partial<ProcessEnd> = {},
): AgentOutcome & { readonly signals: readonly AgentSignal[] } {
  const reader = agent.read();
  const lines = records.map(record => (typeof record === 'string' ? record : JSON.stringify(record)));
  const signals = lines.flatMap(line => reader.line(line));
  return { ...reader.end(processEnd(end)), signals };
}

/** An agent that there is. */
export function named(name: string): Agent {
  const agent = agentNamed(name);
  if (!agent) throw new Error(name);
  return agent;
}

/** How Claude Code tells an error of its provider. */
export const apiError = (text: string, more: object = {}) => ({
  type: 'assistant',
  message: { id: 'e', model: '<synthetic>', content: [{ type: 'text', text }] },
  ...more,
});
