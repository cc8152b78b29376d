/** `ralph plan`: an agent writes the plan; a person reads it before anything is built. */

import { existsSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { checkReport } from '../plan/index.ts';
import {
  chooseTarget,
  DRAFT_FILE,
  makePlan,
  type PlanningNews,
  type PlanOutcome,
  refuseSpread,
  SPREAD,
  type Spent,
  type SpreadRequest,
  writeSpread,
} from '../planning/index.ts';
import { Stopper } from '../process/index.ts';
import type { Problem } from '../protocol.ts';
import { harmless, painter, planTable, say, shellWord } from '../report/index.ts';
import { chooseAgent, chooseSandbox, openProject } from '../start/index.ts';
import { tailOf } from '../util/bounded.ts';
import { systemClock } from '../util/clock.ts';
import { pathBelow } from '../util/paths.ts';
import { type Failure, fail, ok, type Result } from '../util/result.ts';
import { plural, showCost, showDuration, showTokens } from '../util/show.ts';
import { type Call, type Handler, switchFlag, textFlag } from './command.ts';
import { complain, print, wantsColor } from './print.ts';
import { readNamed } from './read-file-argument.ts';
import { overridesOf } from './run.ts';
import { onSignals } from './signals.ts';

export const plan: Handler = async call => {
  const cwd = process.cwd();
  const asked = readGoal(call, cwd);
  if (!asked.ok) return complain(asked.error);
  const [format, out] = [textFlag(call, 'format'), textFlag(call, 'out')];
  const spread = SPREAD.find(name => name === format);
  const target = spread
    ? ok({ format: 'prd' as const, out: DRAFT_FILE })
    : chooseTarget({ ...(format === undefined ? {} : { format }), ...(out === undefined ? {} : { out }) });
  if (!target.ok) return complain(target.error);
  const project = await openProject({ cwd, env: process.env, overrides: overridesOf(call) });
  if (!project.ok) return complain(project.error.failure, project.error.exit);
  const { repository, settings, folder, env } = project.value;
  const wanted = spread && { root: repository.root, format: spread, ...inRepository(repository.root, cwd, out) };
  const several: SpreadRequest | undefined = wanted && { ...wanted, force: switchFlag(call, 'force') };
  const taken = several && refuseSpread(several);
  if (taken) return complain(taken);
  const planner = textFlag(call, 'agent') === undefined ? settings.roles.plan : undefined;
  const chosen = chooseAgent({ agent: planner ?? settings.agent }, env);
  if (!chosen.ok) return complain(chosen.error, chosen.error.reason === 'agent-not-found' ? 4 : 2);
  const sandbox = await chooseSandbox(project.value, { agents: [chosen.value.agent.name], consented: false });
  if (!sandbox.ok) return complain(sandbox.error.failure, sandbox.error.exit);
  const stopper = new Stopper();
  const quit = onSignals(stopper);
  try {
    const made = await makePlan({
      ...asked.value,
      repository,
      settings,
      folder,
      env,
      sandbox: sandbox.value.sandbox,
      agent: chosen.value.agent,
      agentOptions: chosen.value.options,
      format: target.value.format,
      // Without --out the plan goes where `ralph run` looks for it: the root of the repository.
      out: resolve(out === undefined || spread ? repository.root : cwd, target.value.out),
      force: switchFlag(call, 'force'),
      anySize: switchFlag(call, 'any-size'),
      command: 'ralph plan',
      clock: systemClock,
      signal: stopper.signal,
      onNews: news => tell(news, { agent: chosen.value.agent.name, cwd }),
    });
    if (!made.ok) return complain(made.error.failure, made.error.exit);
    const outcome = several ? spreadOut(made.value, several) : ok(made.value);
    if (!outcome.ok) return complain(outcome.error, 1);
    return show(call, outcome.value, { cwd, stopped: stopper.request?.reason === 'terminated' ? 143 : 130 });
  } finally {
    quit();
  }
};

/** Converts a folder relative to the current one to one relative to the root of the repository. */
const inRepository = (root: string, cwd: string, out: string | undefined): { readonly out: string | undefined } => ({
  out: out === undefined ? undefined : relative(root, resolve(cwd, out)),
});

function spreadOut(outcome: PlanOutcome, several: SpreadRequest): Result<PlanOutcome> {
  if (outcome.type !== 'planned') return ok(outcome);
  const written = writeSpread(outcome.plan, several);
  return written.ok ? ok({ ...outcome, plan: written.value }) : written;
}

interface Asked {
  readonly goal: string;
  readonly notes?: { readonly path: string; readonly text: string };
}

function readGoal(call: Call, cwd: string): Result<Asked> {
  const [goal = ''] = call.args;
  const from = textFlag(call, 'from');
  if (goal.trim() === '' && from === undefined) {
    return fail({
      reason: 'usage',
      message: 'ralph plan needs a goal',
      hint: 'For example: ralph plan "Customers can pay by invoice". From a file with notes: ralph plan --from notes.md',
    });
  }
  if (from === undefined) {
    if (!existsSync(resolve(cwd, goal))) return ok({ goal });
    return fail({
      reason: 'usage',
      message: `${goal} is a file`,
      hint: `Did you mean: ralph plan --from ${shellWord(goal)}`,
    });
  }
  const decoded = readNamed(cwd, from);
  if (!decoded.ok) return decoded;
  const { text } = decoded.value;
  if (text.trim() === '') return fail({ reason: 'notes-empty', message: 'the file is empty', file: from });
  return ok({ goal, notes: { path: resolve(cwd, from), text } });
}

/** News goes to stderr, because stdout is for the plan. */
function tell(news: PlanningNews, { agent, cwd }: { readonly agent: string; readonly cwd: string }): void {
  const tellLine = (line: string) => process.stderr.write(`${line}\n`);
  switch (news.type) {
    case 'round':
      if (news.problems.length > 0) {
        tellLine(`the plan has ${plural(news.problems.length, 'problem')}; the agent is asked to correct it:`);
        showProblems(news.problems, 'plan');
      }
      return void tellLine(`planning with ${agent}; log: ${shown(cwd, news.log)}`);
    case 'signal':
      if (news.signal.type === 'tool') tellLine(`  ${say(`${news.signal.name} ${news.signal.detail}`)}`);
      return undefined;
    case 'put-back': {
      const { changed, notes, ref } = news.putBack;
      const names =
        changed
          .slice(0, 10)
          .map(path => say(path))
          .join(', ') + (changed.length > 10 ? ' …' : '');
      if (changed.length > 0) tellLine(`the agent also changed ${plural(changed.length, 'file')}, restored: ${names}`);
      if (ref !== undefined) tellLine(`  kept under ${ref}`);
      for (const note of notes) tellLine(note);
      return undefined;
    }
    case 'notice':
      return void tellLine(news.message);
  }
}

function show(call: Call, outcome: PlanOutcome, where: { readonly cwd: string; readonly stopped: number }): number {
  const { cwd } = where;
  const keptAt =
    'draft' in outcome && outcome.draft !== undefined ? `The draft is kept: ${shown(cwd, outcome.draft)}` : '';
  if (outcome.type === 'stopped')
    return complain({ reason: 'stopped', message: 'stopped; nothing was changed', ...hintOf(keptAt) }, where.stopped);
  const { plan, problems } = outcome;
  if (switchFlag(call, 'json')) {
    const report = plan ? checkReport(plan) : { format: null, path: '', items: [], next: null, done: 0, total: 0 };
    const sound = outcome.type === 'planned';
    print(JSON.stringify({ ...report, ...(sound ? {} : { next: null }), problems }, undefined, 2));
  }
  if (outcome.type === 'failed') {
    showProblems(problems, 'plan');
    return complain({ ...outcome.failure, ...hintOf(['Nothing was changed.', keptAt].filter(Boolean).join(' ')) }, 1);
  }
  if (switchFlag(call, 'json')) return 0;
  const path = shown(cwd, outcome.plan.path);
  const { items } = outcome.plan.plan;
  print(`${path}: ${plural(items.length, 'item')}, ${spentText(outcome.spent)}\n`);
  print(planTable({ items, paint: painter({ color: wantsColor() }), columns: process.stdout.columns ?? 120 }));
  showProblems(problems, path);
  const words = harmless(tailOf(outcome.message, 2000)).trim();
  if (words !== '') print(`\nThe agent says:\n${words.replace(/^/gm, '  ')}`);
  const word = shellWord(path);
  print(
    ['', 'Nothing is built yet. Read it, then:', `  edit ${word}`, `  ralph check ${word}`, `  ralph run ${word}`].join(
      '\n',
    ),
  );
  return 0;
}

const hintOf = (hint: string): Pick<Failure, 'hint'> => (hint === '' ? {} : { hint });

function showProblems(problems: readonly Problem[], path: string): void {
  for (const { level, line, column, message } of problems) {
    process.stderr.write(`${path}:${line}:${column}: ${level}: ${say(message, 300)}\n`);
  }
}

function spentText({ usage, costUsd, durationMs }: Spent): string {
  const tokens = usage.inputTokens + usage.outputTokens;
  return [
    `made in ${showDuration(durationMs)}`,
    ...(tokens > 0 ? [`${showTokens(tokens)} tokens`] : []),
    ...(costUsd > 0 ? [showCost(costUsd)] : []),
  ].join(', ');
}

/** The path as a person would type it here. */
const shown = (cwd: string, path: string): string => pathBelow(cwd, path) ?? path;
