/** One session over the Agent Client Protocol: initialize, open a session with the wanted options, send the brief. */

import { isRecord } from '../util/json.ts';
import type { AcpAnswer } from './acp-connection.ts';
import { type SessionCall, sessionCalls } from './acp-session-options.ts';
import { type Json, recordAt, textAt } from './json-lines.ts';

/** Longest wait for the agent to be ready; how long the turn takes is the runner's to decide. */
const READY_MS = 180_000;

interface Talk {
  readonly ask: (call: SessionCall, deadline?: number) => Promise<AcpAnswer | { readonly gone: number }>;
  readonly wanted: Json;
  readonly brief: string;
  readonly onSession: (id: string) => void;
  readonly print: (record: Json) => Promise<void>;
}

/** The exit code where the agent left before it had answered, undefined where the turn came to an end. */
export async function converse({ ask, wanted, brief, onSession, print }: Talk): Promise<number | undefined> {
  const hello = {
    protocolVersion: 1,
    clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
    clientInfo: { name: 'ralph', version: '1' },
  };
  const first = await ask({ method: 'initialize', params: hello }, READY_MS);
  if ('gone' in first) return first.gone || 1;
  if ('error' in first) return undefined;
  const server = recordAt(wanted, 'mcp');
  const mcpServers = server ? [{ name: 'ralph', ...server, env: [] }] : [];
  const opened = await ask({ method: 'session/new', params: { cwd: process.cwd(), mcpServers } }, READY_MS);
  if ('gone' in opened) return opened.gone || 1;
  if ('error' in opened) return undefined;
  const session = isRecord(opened.result) ? opened.result : {};
  const sessionId = textAt(session, 'sessionId');
  onSession(sessionId);
  const calls = sessionCalls(session, { model: textAt(wanted, 'model'), effort: textAt(wanted, 'effort') });
  if ('error' in calls) {
    await print({ type: 'acp.answer', method: 'session/set_model', error: calls.error });
    return undefined;
  }
  for (const call of calls.calls) {
    const answer = await ask({ method: call.method, params: { sessionId, ...call.params } }, READY_MS);
    if ('gone' in answer) return answer.gone || 1;
    if ('error' in answer && call.needed) return undefined;
  }
  const prompt = [{ type: 'text', text: brief }];
  const answer = await ask({ method: 'session/prompt', params: { sessionId, prompt } });
  return 'gone' in answer ? answer.gone || 1 : undefined;
}
