import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { agentNamed } from '../../src/agents/known.ts';
import type { Agent, AgentOutcome, AgentSignal, ProcessEnd } from '../../src/protocol.ts';
import { processEnd } from '../support/process-end.ts';

const folder = fileURLToPath(new URL('./streams/', import.meta.url));

/** Names of the streams that real programs printed. */
export const recordedNames: readonly string[] = readdirSync(folder).map(name => name.replace(/\.jsonl$/, ''));

export const recordedText = (name: string): string => readFileSync(`${folder}${name}.jsonl`, 'utf8');

/** Whose stream it is; what has no adapter of its own is read as any agent that speaks the protocol. */
export function agentOf(name: string): Agent {
  const word = name.replace(/^acp-/, '').split('-')[0] ?? '';
  const found = name.startsWith('acp-') && ['claude', 'codex', 'droid'].includes(word) ? 'acp' : word;
  const agent = agentNamed(found) ?? agentNamed('acp');
  if (!agent) throw new Error(name);
  return agent;
}

/** The whole stream as the output of a process that ended like this. */
export function replay(
  name: string,
  end: Partial<ProcessEnd> = {},
): AgentOutcome & { readonly signals: readonly AgentSignal[] } {
  const reader = agentOf(name).read();
  const signals = recordedText(name)
    .split('\n')
    .flatMap(line => reader.line(line));
  return { ...reader.end(processEnd(end)), signals };
}
