/** The sandbox of a run: a tier, and how it keeps an agent and gates inside. */
import { randomBytes } from 'node:crypto';
import { bwrapArgv } from './bwrap.ts';
import { dockerArgv } from './docker.ts';
import { type AgentInside, agentPolicy, type Facts, type GatesInside, gatesPolicy } from './policies.ts';
import type { Argv, Contained, Policy, Tier } from './policy.ts';
import { seatbeltArgv } from './seatbelt.ts';

export { bwrapArgv } from './bwrap.ts';
export { type Escape, type EscapeScene, escapes } from './escapes.ts';
export { type Gateway, openGateway } from './gateway.ts';
export { agentPolicy, type Facts, gatesPolicy } from './policies.ts';
export type { Argv, Contained, Policy, Tier } from './policy.ts';

/** A tier that was found to work here. */
export type Found =
  | { readonly tier: 'bwrap'; readonly program: string }
  | { readonly tier: 'docker'; readonly program: string; readonly image: string }
  | { readonly tier: 'seatbelt' };

export interface Sandbox {
  readonly tier: Exclude<Tier, 'none'>;
  /** The only hosts that an agent may reach, where the network is a list; `openGateway` makes the way there. */
  readonly hosts?: readonly string[];
  agent(agent: AgentInside): Contained;
  gates(gates: GatesInside, argv: Argv): Contained;
}

export function sandboxOf(found: Found, facts: Facts): Sandbox {
  const contain = containIn(found);
  return {
    tier: found.tier,
    ...(typeof facts.network === 'string' ? {} : { hosts: facts.network }),
    agent: agent => contain(agentPolicy(facts, agent), agent.gateway?.wrap(agent.argv) ?? agent.argv),
    gates: (gates, argv) => contain(gatesPolicy(facts, gates), argv),
  };
}

function containIn(found: Found): (policy: Policy, argv: Argv) => Contained {
  switch (found.tier) {
    case 'bwrap':
      return (policy, argv) => ({ argv: bwrapArgv(found.program, policy, argv), env: policy.env, wrapped: true });
    case 'seatbelt':
      return (policy, argv) => ({ argv: seatbeltArgv(policy, argv), env: policy.env });
    case 'docker': {
      const ids = process.getuid && process.getgid ? { user: `${process.getuid()}:${process.getgid()}` } : {};
      return (policy, argv) =>
        dockerArgv({ ...found, ...ids, name: `ralph-${randomBytes(8).toString('hex')}` }, policy, argv);
    }
  }
}
