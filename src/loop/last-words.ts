/** Adds the agent's own explanation to a rejection: what it asked, what it was not permitted to do, what it lacked. */
import { questionIn } from '../agents/index.ts';
import type { AgentOutcome, Verdict } from '../protocol.ts';
import { oneLine, plain } from '../util/show.ts';

const LINE = 400;
const DENIED = 5;
const SENTENCES = 2;
/** Read from the end of the message, because that is where an agent says what stopped it. */
const NEAR = 8 * 1024;

/** Matches a missing tool, permission or file. */
const LACKED =
  /\b(?:not (?:installed|found|available|permitted|allowed)|no (?:access|permission|network|such (?:file|command))|permission denied|missing|(?:cannot|can't|could not|couldn't|unable to|was not able to) (?:run|access|find|read|write|install|reach|execute))\b/i;

/** Appended to the feedback, because the brief keeps the end of a slot that is too long. */
export function withLastWords(verdict: Verdict, outcome: Pick<AgentOutcome, 'message' | 'denied'>): Verdict {
  if (verdict.type !== 'rejected') return verdict;
  const said = lastWords(outcome, verdict.reason === 'no-change' || verdict.reason === 'no-claim');
  return said.length === 0 ? verdict : { ...verdict, feedback: [verdict.feedback, ...said].join('\n') };
}

function lastWords(
  { message, denied = [] }: Pick<AgentOutcome, 'message' | 'denied'>,
  isUnexplained: boolean,
): readonly string[] {
  const near = plain(message).slice(-NEAR);
  const question = questionIn(near);
  const lacked = sentencesOf(near)
    .filter(sentence => LACKED.test(sentence) && !question.includes(sentence))
    .slice(-SENTENCES)
    .join(' ');
  const told = [
    denied.length > 0
      ? `The last session was not permitted to use: ${oneLine(denied.slice(0, DENIED).join('; '), LINE)}`
      : '',
    lacked === '' ? '' : `The last session said: ${oneLine(lacked, LINE)}`,
    question === ''
      ? ''
      : `The last session asked, and nobody can answer; decide it yourself or say that it blocks you: ${oneLine(question, LINE)}`,
  ].filter(Boolean);
  const ending =
    isUnexplained && told.length === 0
      ? oneLine(
          near
            .trim()
            .split(/\n[ \t]*\n/)
            .at(-1) ?? '',
          LINE,
        )
      : '';
  return ending === '' ? told : [`The last session ended with these words: ${ending}`];
}

const sentencesOf = (text: string): readonly string[] =>
  text
    .split(/(?<=[.!?])\s+|\n/)
    .map(sentence => sentence.trim())
    .filter(Boolean);
