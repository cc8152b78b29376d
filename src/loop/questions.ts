/** Handles open questions: uses an answer from the answers file, or lets the item wait for a person. */
import { answerFor, answersFile, parseAnswers } from '../memory/index.ts';
import { type ItemState, itemOf } from '../state.ts';
import { readText } from '../util/files.ts';
import { ok, type Result } from '../util/result.ts';
import { oneLine, plural } from '../util/show.ts';
import { markByPerson } from './mark-by-person.ts';
import type { Session } from './session.ts';
import { trackVerdict } from './track.ts';

/** Called before every item, because a crash may have followed a question, and a person may have added to the file since. */
export function settleQuestions(session: Session): void {
  const asked: { readonly item: string; readonly question: NonNullable<ItemState['question']> }[] = [];
  for (const [item, { question }] of session.state.items) if (question) asked.push({ item, question });
  if (asked.length === 0) return;
  const file = answersFile({ folder: session.options.folder.root });
  const answers = parseAnswers(readText(file) ?? '');
  for (const { item, question } of asked) {
    const fitting = answerFor(question.text, answers);
    if (fitting && !isKnown(itemOf(session.state, item), fitting.answer)) {
      const answered = { item, question: question.text, answer: fitting.answer };
      session.record({ type: 'question.answered', ...answered, by: 'file' });
      trackVerdict(session, item);
    } else if (!question.told) {
      session.record({ type: 'question.asked', iteration: question.iteration, item, question: question.text });
    }
  }
}

/** If the agent asks again although it got this answer, it needs a new one from a person. */
const isKnown = ({ answers = [] }: ItemState, answer: string): boolean =>
  answers.some(before => before.answer === answer);

/** Applies a person's answer to an item of this run. */
export function answerByPerson(
  session: Session,
  { item, text, asked }: { readonly item: string; readonly text: string; readonly asked?: number },
): Result<void> {
  const { question } = itemOf(session.state, item);
  if (!question) {
    session.notice('warn', `${item} has no open question any more; the answer was not used`);
    return ok(undefined);
  }
  const answered = { item, question: question.text, answer: text, ...(asked === undefined ? {} : { asked }) };
  const said = { type: 'question.answered', ...answered, by: 'person' } as const;
  return markByPerson(session, { id: item, to: 'pending', again: true }, said);
}

/** How many items wait for an answer, and the first question; empty if none does. */
export function waitingSentence({ state }: Session, open: readonly { readonly id: string }[]): string {
  const asked = open.flatMap(({ id }) => {
    const { question } = itemOf(state, id);
    return question ? [{ id, text: question.text }] : [];
  });
  const [first] = asked;
  if (!first) return '';
  const many = `${plural(asked.length, 'item')} ${asked.length === 1 ? 'waits' : 'wait'} for an answer`;
  return `${many}; ${first.id} asks: ${oneLine(first.text, 160)}`;
}
