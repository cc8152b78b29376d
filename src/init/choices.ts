/** What is chosen for a new set-up: by flags, by what was found, and only then by asking. */
import type { FormatName } from '../protocol.ts';
import type { Choices } from './set-up.ts';
import type { Survey } from './survey.ts';

export const FORMATS: readonly FormatName[] = ['prd', 'checklist', 'groups', 'sprint', 'prompt'];

export interface Guess {
  /** Of the command line, where it says so. */
  readonly format: FormatName | undefined;
  readonly agent: string | undefined;
  readonly found: Survey;
  /** Those on PATH, the preferred one first. */
  readonly agents: readonly string[];
}

/** One question, one line of answer. */
export type Question = (text: string) => Promise<string>;

/** What is taken when nobody can be asked. */
export const guessed = ({ format, agent, found, agents }: Guess): Choices => ({
  format: format ?? found.plan?.format ?? 'prd',
  agent: agent ?? found.config?.agent ?? agents[0],
  gates: found.gates,
});

/** Asks for what could not be found out, and for nothing else. */
export async function askFor(guess: Guess, question: Question): Promise<Choices> {
  const { format, agent, gates } = guessed(guess);
  const { found, agents } = guess;
  const open = guess.format === undefined && found.plan === undefined;
  const several = guess.agent === undefined && found.config === undefined && agents.length > 1;
  const ungated = gates.length === 0 && found.config === undefined;
  return {
    format: open ? await oneOf(question, { what: 'What kind of plan?', known: FORMATS, usual: format }) : format,
    agent: several && agent ? await oneOf(question, { what: 'Which agent?', known: agents, usual: agent }) : agent,
    gates: ungated ? await command(question) : gates,
  };
}

interface Offer<T extends string> {
  readonly what: string;
  readonly known: readonly T[];
  readonly usual: T;
}

async function oneOf<T extends string>(question: Question, { what, known, usual }: Offer<T>): Promise<T> {
  for (;;) {
    const answer = (await question(`${what} ${known.join(', ')} [${usual}] `)).trim();
    const match = answer === '' ? usual : known.find(name => name === answer);
    if (match !== undefined) return match;
  }
}

async function command(question: Question): Promise<readonly string[]> {
  const answer = (await question('Which command proves that the project is healthy? [none] ')).trim();
  return answer === '' ? [] : [answer];
}
