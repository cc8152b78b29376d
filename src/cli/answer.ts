/** `ralph inbox` and `ralph answer`: the questions of agents, and a person's answer. */
import { itemCommand, overview } from '../report/index.ts';
import {
  findRun,
  goOnCommand,
  identityOf,
  meantPlan,
  openProject,
  type Project,
  type Refusal,
  refuse,
} from '../start/index.ts';
import { itemOf } from '../state.ts';
import { ok, type Result } from '../util/result.ts';
import { plain, plural } from '../util/show.ts';
import { askRun } from './ask-run.ts';
import { type Handler, switchFlag, textFlag } from './command.ts';
import { currentRun } from './current-run.ts';
import { markItem } from './mark.ts';
import { complain, print } from './print.ts';

export const inbox: Handler = async call => {
  const current = await currentRun(call);
  if (!current.ok) return complain(current.error, 1);
  const { state, items } = current.value;
  const questions = overview(state, items).rows.flatMap(({ id, title, state: { question } }) =>
    question ? [{ item: id, title, question: question.text, iteration: question.iteration }] : [],
  );
  if (switchFlag(call, 'json')) {
    print(JSON.stringify({ run: state.run, questions }, undefined, 2));
    return 0;
  }
  if (questions.length === 0) {
    print(`Nothing is asked in ${plain(state.run)}.`);
    return 0;
  }
  print(`${plural(questions.length, 'question')} in ${plain(state.run)}`);
  for (const { item, title, question, iteration } of questions) {
    print('');
    print(`${plain(item)} ${plain(title)} (ralph logs ${iteration})`);
    print(`  ${plain(question)}`);
    print(`  ${itemCommand('answer', item, { text: '"..."' })}`);
  }
  return 0;
};

export const answer: Handler = async call => {
  const [item = '', words = ''] = call.args;
  const text = words.trim();
  if (text === '') {
    const hint = `For example: ${itemCommand('answer', item, { text: '"Use the first one"' })}`;
    return complain({ reason: 'usage', message: 'an answer has to say something', hint }, 2);
  }
  const project = await openProject({ cwd: process.cwd(), env: process.env });
  if (!project.ok) return complain(project.error.failure, 2);
  const plan = textFlag(call, 'plan');
  const question = questionOf(project.value, { item, plan });
  if (!question.ok) return complain(question.error.failure, question.error.exit);
  const said = { type: 'question.answered', item, question: question.value, answer: text, by: 'person' } as const;
  const wanted = { id: item, to: 'pending', again: true, at: Date.now() } as const;
  const marked = markItem({ project: project.value, plan, wanted, said });
  if (!marked.ok) return complain(marked.error.failure, marked.error.exit);
  const owner = marked.value;
  if (owner) {
    const request = { type: 'answer', item, text } as const;
    const asked = await askRun(project.value.folder, owner, request, textFlag(call, 'confirm'));
    if (!asked.ok) return complain(asked.error.failure, asked.error.exit);
    print(
      `${plain(item)} continues with your answer in its brief, after the current iteration (pid ${owner.process.pid}).`,
    );
    return 0;
  }
  const meant = meantPlan(project.value, plan);
  if (!meant.ok) return complain(meant.error.failure, meant.error.exit);
  print(
    `${plain(item)} continues with your answer in its brief. Continue with: ${goOnCommand(project.value, meant.value)}`,
  );
  return 0;
};

/** The question of an item; refused if the item has none. */
function questionOf(
  project: Project,
  { item, plan }: { readonly item: string; readonly plan: string | undefined },
): Result<string, Refusal> {
  const meant = meantPlan(project, plan);
  if (!meant.ok) return meant;
  const run = findRun(project.folder, identityOf(project, meant.value));
  if (!run.ok) return refuse(4, run.error);
  const question = run.value && itemOf(run.value, item).question;
  if (question) return ok(question.text);
  return refuse(2, {
    reason: 'no-question',
    message: `${item} has asked nothing that is open`,
    hint: `What is open: ralph inbox. A hint for its next brief: ${itemCommand('retry', item, { flags: '--with "..."' })}`,
  });
}
