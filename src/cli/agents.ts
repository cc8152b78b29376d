/** `ralph agents`: lists the known agents, and tries one of them here. */
import { PRICES_OF } from '../agents/index.ts';
import { table, wrapText } from '../report/index.ts';
import { type KnownAgent, knownAgents } from '../start/index.ts';
import { type Handler, switchFlag } from './command.ts';
import { columnsOf, complain, print } from './print.ts';

export const agents: Handler = async call => {
  const [what, name] = call.args;
  if (what === 'try') {
    const { tryAgent } = await import('./try-agent.ts');
    return await tryAgent(call, name ?? '');
  }
  if (what !== undefined) {
    const hint = 'ralph agents lists them; ralph agents try NAME lets one do a tiny piece of work.';
    return complain({ reason: 'usage', message: `ralph agents has no "${what}"`, hint });
  }
  const known = await knownAgents(process.env);
  if (switchFlag(call, 'json')) print(JSON.stringify({ agents: known }, undefined, 2));
  else print(text(known));
  return 0;
};

function text(known: readonly KnownAgent[]): string {
  const rows = known.map(agent => [
    agent.name,
    agent.program ? (agent.version ?? 'installed') : '-',
    agent.login ?? '-',
    agent.abilities.stream,
    COSTS[agent.abilities.cost],
    agent.abilities.model ? 'yes' : 'no',
    [agent.abilities.efforts[0], ...agent.abilities.efforts.slice(1).slice(-1)].join(' to ') || '-',
  ]);
  const missing = known.filter(({ program }) => !program);
  const columns = columnsOf();
  const notes = [
    'Others: agent: {command: [program]}, or agent: {acp: [program, --acp]} for one that speaks the Agent Client Protocol.',
    'A login is only guessed from variables and files; ralph agents try NAME finds out.',
    `Tokens are priced by a table of ${PRICES_OF}, and by prices: in the config before it.`,
  ];
  return [
    ...table(['agent', 'version', 'login', 'output', 'cost', 'model', 'effort'], rows),
    '',
    ...(missing.length > 0 ? ['To install:'] : []),
    ...missing.map(({ name, abilities }) => `  ${name.padEnd(14)}${abilities.install}`),
    '',
    ...notes.map(line => (columns === undefined ? line : wrapText(line, columns))),
  ].join('\n');
}

const COSTS: Readonly<Record<KnownAgent['abilities']['cost'], string>> = {
  reported: 'reported',
  tokens: 'from tokens',
  unknown: 'unknown',
};
