/** `ralph convert`: writes a plan in another format, if nothing is lost by it. */
import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { openPlan } from '../plan/index.ts';
import { chooseTarget, convertPlan, USUAL_FILE } from '../planning/index.ts';
import { shellWord } from '../report/index.ts';
import { writeAtomic } from '../util/files.ts';
import { plural } from '../util/show.ts';
import { type Handler, switchFlag, textFlag } from './command.ts';
import { inTheWay, showLost } from './import.ts';
import { complain, print } from './print.ts';

export const convert: Handler = async call => {
  const cwd = process.cwd();
  const to = textFlag(call, 'to');
  const wanted = textFlag(call, 'out');
  if (to === undefined) {
    return complain({
      reason: 'usage',
      message: 'ralph convert needs --to',
      hint: 'For example: ralph convert PROGRESS.md --to prd',
    });
  }
  if (to !== 'prd' && to !== 'checklist') {
    return complain({
      reason: 'usage',
      message: `ralph convert cannot write the format "${to}"`,
      hint: 'It is prd or checklist.',
    });
  }
  const target = chooseTarget({ format: to, ...(wanted === undefined ? {} : { out: wanted }) });
  if (!target.ok) return complain(target.error);
  const { format } = target.value;
  const plan = call.args[0] ?? textFlag(call, 'plan');
  if (plan === undefined) {
    const hint = 'For example: ralph convert PROGRESS.md --to prd';
    return complain({ reason: 'usage', message: 'ralph convert needs <plan>', hint });
  }
  const open = openPlan(resolve(cwd, plan));
  if (!open.ok) return complain(open.error);
  const converted = convertPlan(open.value, format);
  if (!converted.ok) return complain(converted.error);
  const path = wanted === undefined ? join(dirname(open.value.path), USUAL_FILE[format]) : resolve(cwd, wanted);
  const out = relative(cwd, path) || path;
  const { text, lost, items } = converted.value;
  if (lost.length > 0 && !switchFlag(call, 'lossy')) {
    showLost(lost, line => process.stderr.write(`${line}\n`));
    const message = `a ${format} cannot hold ${lost.length === 1 ? 'this' : 'these'}; nothing was written`;
    return complain({ reason: 'lossy', message, hint: 'Write it anyway with --lossy.' });
  }
  if (existsSync(path) && !switchFlag(call, 'force')) return complain(inTheWay(out));
  writeAtomic(path, text);
  print(`${out}: ${plural(items.length, 'item')}`);
  showLost(lost);
  print(`Next: ralph check ${shellWord(out)}`);
  return 0;
};
