/** `ralph doctor --sandbox`: tries the sandbox of this machine. */
import { checklistText } from '../report/index.ts';
import {
  allOpen,
  type ChosenSandbox,
  chooseSandbox,
  type Finding,
  factsOf,
  openProject,
  type Tried,
  tryEscapes,
} from '../start/index.ts';
import { type Call, switchFlag } from './command.ts';
import { columnsOf, complain, print, wantsColor } from './print.ts';
import { overridesOf } from './run.ts';

export async function doctorSandbox(call: Call): Promise<number> {
  const json = switchFlag(call, 'json');
  const opened = await openProject({ cwd: process.cwd(), env: process.env, overrides: overridesOf(call) });
  if (!opened.ok) return complain(opened.error.failure, opened.error.exit);
  const project = opened.value;
  // Chosen as for an unknown agent, because the scripted one would need no sandbox.
  const chosen = await chooseSandbox(project, { agents: ['command'], consented: false });
  if (!chosen.ok) {
    for (const tried of allOpen()) if (!json) print(lineOf(tried));
    return complain(chosen.error.failure, chosen.error.exit);
  }
  const results: Tried[] = [];
  for await (const tried of trials(chosen.value, project)) {
    results.push(tried);
    if (!json) print(lineOf(tried));
  }
  const { tier } = chosen.value;
  const held = results.filter(({ result }) => result === 'held').length;
  const isTight = tier !== 'none' && results.every(({ result }) => result !== 'escaped');
  if (json) print(JSON.stringify({ tier, held, tried: results.length, results }, undefined, 2));
  else print(`\n${tier === 'none' ? 'No sandbox' : tier}: ${held} of ${results.length} ways out are closed.`);
  return isTight ? 0 : 4;
}

async function* trials({ tier, found }: ChosenSandbox, project: Parameters<typeof factsOf>[0]): AsyncGenerator<Tried> {
  if (tier === 'none' || !found) yield* allOpen();
  else yield* tryEscapes({ env: project.env, found, facts: factsOf(project) });
}

function lineOf({ name, who, result, detail }: Tried): string {
  const finding: Finding = {
    level: result === 'held' ? 'good' : result === 'open' ? 'warn' : 'bad',
    name: result,
    detail: `${who}: ${name}${detail === '' ? '' : ` (${detail})`}`,
  };
  return checklistText(finding, { color: wantsColor(), columns: columnsOf() });
}
