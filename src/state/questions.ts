/** Questions that an agent asked about its item, and their answers. */
import type { Durable, Recorded } from '../events.ts';
import { type ItemState, itemOf, type RunState, setItem, withItem } from './run-state.ts';

/** A brief has no room for more answers than this. */
const KEPT = 8;

/** The item waits; no attempt is charged, and the feedback on earlier attempts stays. */
export const askedBy = (iteration: number, text: string): Partial<ItemState> => ({
  status: 'blocked',
  why: `waits for an answer: ${text}`,
  question: { text, iteration },
});

export function questionTold(
  state: RunState,
  { item }: Recorded<Extract<Durable, { type: 'question.asked' }>>,
): RunState {
  const { question } = itemOf(state, item);
  return question ? withItem(state, item, { question: { ...question, told: true } }) : state;
}

export function answerItem(
  state: RunState,
  { item, question, answer, by, at, asked = at }: Recorded<Extract<Durable, { type: 'question.answered' }>>,
): RunState {
  const { answers = [] } = itemOf(state, item);
  return withItem(withoutQuestion(state, item), item, {
    status: 'pending',
    why: '',
    answers: [...answers, { question, answer }].slice(-KEPT),
    ...(by === 'person' ? { markedAt: asked } : {}),
  });
}

/** Drops the open question: it was answered, or a person's mark settled it. */
export function withoutQuestion(state: RunState, id: string): RunState {
  const { question, ...rest } = itemOf(state, id);
  return question ? setItem(state, id, rest) : state;
}
