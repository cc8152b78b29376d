/** `ralph check` */
import { relative, resolve } from 'node:path';
import { checkReport, isAddress, openPlan, pickNext } from '../plan/index.ts';
import { wrapText } from '../report/index.ts';
import { documentConflicts, meantPlan, openProject, unstartableChecks } from '../start/index.ts';
import { ok } from '../util/result.ts';
import { plain, plural } from '../util/show.ts';
import { type Handler, switchFlag, textFlag } from './command.ts';
import { columnsOf, complain, note, print } from './print.ts';

export const check: Handler = async call => {
  const given = call.args[0] ?? textFlag(call, 'plan');
  const cwd = process.cwd();
  // A plan given by path needs no repository.
  const needed = given === undefined || isAddress(given);
  const project = needed ? await openProject({ cwd, env: process.env }) : undefined;
  const meant = project && (project.ok ? meantPlan(project.value, given) : project);
  if (meant?.ok) note(meant.value.notes);
  const open = meant ? (meant.ok ? ok(meant.value.plan) : meant) : openPlan(resolve(cwd, given ?? ''));
  if (!open.ok) {
    const failure = 'failure' in open.error ? open.error.failure : open.error;
    if (switchFlag(call, 'json')) print(JSON.stringify(emptyReport(failure)));
    return complain(failure, 2);
  }
  const read = checkReport(open.value);
  const root = project?.ok ? project.value.repository.root : cwd;
  const report = {
    ...read,
    problems: [
      ...read.problems,
      ...documentConflicts(open.value.plan, root),
      ...unstartableChecks(open.value.plan, { root, env: process.env }),
    ],
  };
  const bad = report.problems.some(problem => problem.level === 'error');
  if (switchFlag(call, 'json')) {
    print(JSON.stringify(report, undefined, 2));
    return bad ? 2 : 0;
  }
  const path = relative(cwd, report.path) || report.path;
  const columns = process.stderr.isTTY ? columnsOf() : undefined;
  const fit = (line: string) => (columns === undefined ? line : wrapText(line, columns));
  print(`${path}: ${report.format}, ${plural(report.total, 'item')}, ${report.done} done`);
  const next = report.items.find(item => item.id === report.next);
  if (next) print(fit(`next: ${plain(next.id)} ${plain(next.title)} (line ${next.line})`));
  const why = pickNext({ items: open.value.plan.items, status: item => item.status }).why;
  if (!bad && why) print(fit(`  ${plain(why)}`));
  for (const { level, line, column, message } of report.problems) {
    process.stderr.write(`${fit(`${path}:${line}:${column}: ${level}: ${plain(message)}`)}\n`);
  }
  return bad ? 2 : 0;
};

function emptyReport({
  message,
  line = 1,
  column = 1,
  file,
}: {
  message: string;
  line?: number;
  column?: number;
  file?: string;
}) {
  return {
    format: null,
    path: file ?? '',
    items: [],
    next: null,
    done: 0,
    total: 0,
    problems: [{ level: 'error', line, column, message }],
  };
}
