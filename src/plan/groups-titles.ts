/** Whether the state is of these groups: the same numbers may have been given to others since. */
import type { Problem } from '../protocol.ts';
import { oneLine } from '../util/show.ts';
import type { GroupPrompt } from './groups-prompts.ts';
import type { GroupState } from './groups-state.ts';

/** The state of another plan is an error; of a single group that was worded anew, a person can tell. */
export function titleProblems(
  prompts: readonly GroupPrompt[],
  stateOf: (id: number) => GroupState | undefined,
): readonly Problem[] {
  const begun = prompts.flatMap(prompt => {
    const state = stateOf(prompt.id);
    return state && state.title !== '' && state.status !== 'pending' ? [{ prompt, state }] : [];
  });
  const [first] = begun;
  if (first && begun.length > 1 && begun.every(({ prompt, state }) => !shareWord(prompt.title, state.title))) {
    const message = `this is the state of another plan: group ${first.prompt.id} is "${show(first.state.title)}" here and "${show(first.prompt.title)}" in its prompt, and no other fits either; move the file away to start from the beginning`;
    return [{ level: 'error', line: 1, column: 1, message }];
  }
  return begun
    .filter(({ prompt, state }) => plainWords(prompt.title).join(' ') !== plainWords(state.title).join(' '))
    .map(({ prompt: { id, title }, state }) => ({
      level: 'warning',
      line: state.line,
      column: 1,
      message: `group ${id} was "${show(state.title)}" and is "${show(title)}" now; if that is another group: ralph reset ${id}`,
    }));
}

const show = (title: string): string => oneLine(title, 60);

const plainWords = (title: string): readonly string[] => title.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

const shareWord = (a: string, b: string): boolean => {
  const words = new Set(plainWords(a));
  return plainWords(b).some(word => words.has(word));
};
