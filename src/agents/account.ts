/** The account whose limits an agent shares: two runs with one login are one account, in any repository. */
import { createHash } from 'node:crypto';
import type { Agent, AgentOptions } from '../protocol.ts';

/**
 * A short name for the account, the same in every run of it on this machine, from which no secret can be read. Undefined
 * for programs about whose login nothing is known, unless the config names an account.
 */
export function accountOf(
  { name, abilities }: Agent,
  { env: own, account }: AgentOptions,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  if (account !== undefined) return `${name}-${digest(['named', account])}`;
  const variables = abilities?.needs.env ?? [];
  if (variables.length === 0) return undefined;
  const values = variables.map(variable => own[variable] ?? env[variable] ?? '');
  // A login in HOME is one account; a key in a variable is one wherever HOME is.
  const place = values.some(Boolean) ? [] : [own.HOME ?? env.HOME ?? ''];
  return `${name}-${digest([...values, ...place])}`;
}

const digest = (parts: readonly string[]): string =>
  createHash('sha256').update(parts.join('\0')).digest('hex').slice(0, 16);
