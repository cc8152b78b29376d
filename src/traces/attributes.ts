/** Names of agent and verdict attributes in spans: the GenAI conventions where they exist, `ralph.` otherwise. */
import type { AgentFailure, ProcessEnd, Usage, Verdict } from '../protocol.ts';
import type { Attributes } from './span.ts';

/** Whose models an agent asks, by the names of the conventions; for any other its own name stands. */
const PROVIDERS: Readonly<Record<string, string>> = {
  claude: 'anthropic',
  codex: 'openai',
  gemini: 'gcp.gemini',
};

export function agentAttributes(done: {
  readonly agent: string;
  readonly usage: Usage;
  readonly costUsd: number;
  readonly model?: string;
  readonly priced?: true;
  readonly billing?: string;
  readonly end?: Pick<ProcessEnd, 'reason' | 'code'>;
  readonly claim?: { readonly type: string };
  readonly failure?: AgentFailure;
}): Attributes {
  const { agent, usage, model, end } = done;
  // A fallback is journaled with its model: `codex:gpt-5`.
  const name = agent.split(':')[0] ?? agent;
  return {
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.provider.name': PROVIDERS[name] ?? name,
    'gen_ai.agent.name': agent,
    'gen_ai.request.model': model,
    'gen_ai.response.model': model,
    // The conventions count cached tokens among the input; the journal keeps the two apart.
    'gen_ai.usage.input_tokens': usage.inputTokens + usage.cachedTokens,
    'gen_ai.usage.output_tokens': usage.outputTokens,
    'gen_ai.usage.cache_read.input_tokens': usage.cachedTokens,
    'ralph.cost_usd': done.costUsd,
    'ralph.cost_estimated': done.priced,
    'ralph.billing': done.billing,
    'ralph.claim': done.claim?.type,
    'process.exit.code': end?.code ?? undefined,
    'ralph.agent.end': end?.reason,
    'error.type': done.failure?.class,
  };
}

export const failureIn = ({ failure }: { readonly failure?: AgentFailure }): { readonly error?: string } =>
  failure ? { error: failure.message } : {};

export const verdictAttributes = (verdict: Verdict): Attributes => ({
  'ralph.verdict': verdict.type,
  'ralph.verdict.why': verdict.why,
  'ralph.verdict.reason': verdict.type === 'rejected' ? verdict.reason : undefined,
  'error.type': verdict.type === 'rejected' ? verdict.reason : verdict.type === 'blocked' ? verdict.cause : undefined,
});
