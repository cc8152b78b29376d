/** `ralph doctor`: the launch checklist. Each line says the state, and what to do about it. */
import { Stopper } from '../process/index.ts';
import { CHECK_MARKS, checklistText, shellWord } from '../report/index.ts';
import { diagnose, type Finding } from '../start/index.ts';
import { type Call, type Handler, switchFlag, textFlag } from './command.ts';
import { columnsOf, print, wantsColor } from './print.ts';
import { overridesOf } from './run.ts';
import { onSignals } from './signals.ts';

export const doctor: Handler = async call => {
  if (switchFlag(call, 'sandbox')) return await (await import('./doctor-sandbox.ts')).doctorSandbox(call);
  // Before the program ends, changes by the gates are undone, and a worktree made for them is removed.
  const stopper = new Stopper();
  const quit = onSignals(stopper);
  try {
    return await look(call, stopper);
  } finally {
    quit();
  }
};

async function look(call: Call, stopper: Stopper): Promise<number> {
  const plan = call.args[0] ?? textFlag(call, 'plan');
  const json = switchFlag(call, 'json');
  const style = { color: wantsColor(), columns: columnsOf() };
  const findings: Finding[] = [];
  for await (const finding of diagnose({
    cwd: process.cwd(),
    env: process.env,
    overrides: overridesOf(call),
    only: textFlag(call, 'only'),
    stopper,
    ...(plan === undefined ? {} : { plan }),
  })) {
    if (stopper.request) return stopper.request.reason === 'interrupted' ? 130 : 143;
    findings.push(finding);
    if (!json) print(checklistText(finding, style));
  }
  const refused = findings.filter(finding => finding.level === 'bad').length;
  if (json) print(JSON.stringify({ ready: refused === 0, findings }, undefined, 2));
  else print(`\n${verdict({ refused, plan, idle: findings.some(isIdle) })}`);
  return refused === 0 ? 0 : 4;
}

const isIdle = ({ name, level }: Finding): boolean => name === 'next' && level === 'warn';

function verdict({
  refused,
  plan,
  idle,
}: {
  readonly refused: number;
  readonly plan: string | undefined;
  readonly idle: boolean;
}): string {
  if (refused === 0 && idle) return 'A run would start, but has nothing to work on.';
  if (refused === 0) return `Ready: ralph run${plan === undefined ? '' : ` ${shellWord(plan)}`}`;
  return `A run would be refused. To fix first: ${refused === 1 ? 'the line' : `the ${refused} lines`} marked ${CHECK_MARKS.bad}.`;
}
