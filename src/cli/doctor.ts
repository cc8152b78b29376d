/** `ralph doctor`: the launch checklist. Each line says what is, and what to do about it. */

import { painter, shellWord } from '../report/style.ts';
import { diagnose, type Finding } from '../start/diagnose.ts';
import { type Handler, switchFlag, textFlag } from './command.ts';
import { print, wantsColor } from './print.ts';
import { overridesOf } from './run.ts';
import { leaveOnSignals } from './signals.ts';

const MARKS: Readonly<Record<Finding['level'], string>> = { good: '✓', warn: '!', bad: '✗' };

export const doctor: Handler = async call => {
  // Gates have groups of their own: whoever ends this command means them too.
  leaveOnSignals();
  const plan = call.args[0] ?? textFlag(call, 'plan');
  const json = switchFlag(call, 'json');
  const paint = painter({ color: wantsColor() });
  const findings: Finding[] = [];
  const showOne = ({ level, name, detail, fix }: Finding) => {
    print(`${paint(level, MARKS[level])} ${name.padEnd(10)} ${detail}`);
    if (fix)
      print(
        fix
          .split('\n')
          .map(line => `             ${line}`)
          .join('\n'),
      );
  };
  for await (const finding of diagnose({
    cwd: process.cwd(),
    env: process.env,
    overrides: overridesOf(call),
    ...(plan === undefined ? {} : { plan }),
  })) {
    findings.push(finding);
    if (!json) showOne(finding);
  }
  const refused = findings.filter(finding => finding.level === 'bad').length;
  if (json) print(JSON.stringify({ ready: refused === 0, findings }, undefined, 2));
  else
    print(
      refused === 0
        ? `\nReady: ralph run${plan === undefined ? '' : ` ${shellWord(plan)}`}`
        : `\nA run would be refused: ${refused} of these ${refused === 1 ? 'has' : 'have'} to be fixed first.`,
    );
  return refused === 0 ? 0 : 4;
};
