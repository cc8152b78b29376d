/** `ralph import`: turns a document that people wrote into a plan that can be run. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { prd } from '../plan/index.ts';
import {
  chooseTarget,
  describeLost,
  importMarkdown,
  type Lost,
  lostBetween,
  USUAL_FILE,
  writePrd,
} from '../planning/index.ts';
import { say, shellWord } from '../report/index.ts';
import { writeAtomic } from '../util/files.ts';
import type { Failure } from '../util/result.ts';
import { plural } from '../util/show.ts';
import { type Handler, switchFlag, textFlag } from './command.ts';
import { complain, print } from './print.ts';
import { readNamed } from './read-file-argument.ts';

export const importPlan: Handler = async call => {
  const cwd = process.cwd();
  const [file = ''] = call.args;
  const target = chooseTarget({ format: 'prd', out: textFlag(call, 'out') ?? USUAL_FILE.prd });
  if (!target.ok) return complain(target.error);
  const { out } = target.value;
  if (/\.(?:json|ya?ml)$/i.test(file)) {
    const hint = 'Plans are changed from one format to another with: ralph convert';
    return complain({ reason: 'usage', message: 'only Markdown can be imported', file, hint });
  }
  const decoded = readNamed(cwd, file);
  if (!decoded.ok) return complain(decoded.error);
  const imported = importMarkdown(decoded.value.text);
  if (imported.items.length === 0) {
    const hint =
      'Stories are headings such as "### US-001: Title", "### 1. Title" or any with "Acceptance criteria:" under it, or task boxes "- [ ] do this". An agent can make a plan of free text: ralph plan --from FILE';
    return complain({ reason: 'no-items', message: 'no stories and no task boxes were found', file, hint });
  }
  if (existsSync(resolve(cwd, out)) && !switchFlag(call, 'force')) return complain(inTheWay(out));
  const text = writePrd(imported);
  const { plan: read } = prd.parse(text, out, { read: () => undefined, isFolder: () => false, list: () => [] });
  const lost = [...imported.notCarried, ...lostBetween(imported.items, read.items)];
  writeAtomic(resolve(cwd, out), text);
  const done = imported.items.filter(({ status }) => status === 'done').length;
  print(`${out}: ${plural(imported.items.length, 'item')} from ${file}${done > 0 ? `, ${done} done` : ''}`);
  for (const { message } of read.problems) print(`  look at this: ${say(message, 200)}`);
  for (const remark of imported.remarks) print(`  look at this: ${say(remark, 300)}`);
  showLost(lost);
  if (lost.length > 0) print(`  To put what was left out into every brief, in the config: context: [${file}]`);
  print(`Next: ralph check ${shellWord(out)}`);
  return 0;
};

export const inTheWay = (file: string): Failure => ({
  reason: 'exists',
  message: 'there is a file already',
  file,
  hint: 'Write elsewhere with --out FILE, or replace it with --force.',
});

export function showLost(lost: readonly Lost[], write: (line: string) => void = print): void {
  for (const entry of lost) write(`  not carried: ${say(describeLost(entry), 200)}`);
}
