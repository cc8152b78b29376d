/** The tools: one to look, five to say something. Each says what becomes of it, because a claim is not a verdict. */
import { isView, type McpContext, VIEWS } from './context.ts';
import { LESSON_KINDS, sayWord, type Word } from './said.ts';

export interface Desk {
  /** Absent where no runner started this session. */
  readonly context?: McpContext;
  readonly inbox?: string;
}

const text = (description: string) => ({ type: 'string', description });
const object = (properties: Readonly<Record<string, unknown>>, required: readonly string[] = []) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

export const tools = [
  {
    name: 'look',
    description: `Look something up about this session. ${Object.entries(VIEWS)
      .map(([name, { about }]) => `${name}: ${about}.`)
      .join(' ')}`,
    inputSchema: object({ what: { type: 'string', enum: Object.keys(VIEWS) } }, ['what']),
    annotations: { readOnlyHint: true },
  },
  {
    name: 'claim',
    description:
      'Claim that your item is done, with every check green. It is only a claim: the runner checks the working tree itself when you stop.',
    inputSchema: object({}),
  },
  {
    name: 'blocked',
    description: 'Say that your item cannot be done, and why. Then stop.',
    inputSchema: object({ text: text('The reason in one sentence') }, ['text']),
  },
  {
    name: 'question',
    description:
      'Ask what only a person can decide. Nobody answers now: stop after it. The answer is in the next brief.',
    inputSchema: object({ text: text('The question in one sentence, with the choices') }, ['text']),
  },
  {
    name: 'lesson',
    description: 'Hand on something that surprised you or failed at first: what it was, and what to do instead.',
    inputSchema: object({ kind: { type: 'string', enum: LESSON_KINDS }, text: text('One or two sentences') }, [
      'kind',
      'text',
    ]),
  },
  {
    name: 'progress',
    description: 'A note for the log that later sessions read: what you did, what you decided.',
    inputSchema: object({ text: text('One or two sentences') }, ['text']),
  },
] as const;

export interface Told {
  readonly text: string;
  readonly isError?: true;
}

const wrong = (why: string): Told => ({ text: why, isError: true });

/** Undefined: there is no such tool. */
export function callTool(desk: Desk, name: string, given: Readonly<Record<string, unknown>>): Told | undefined {
  const said = typeof given.text === 'string' ? given.text.trim() : '';
  switch (name) {
    case 'look':
      return look(desk, given.what);
    case 'claim':
      return say(desk, { type: 'claim' }, 'Noted as a claim. The runner checks it once you stop.');
    case 'blocked':
      return say(desk, { type: name, text: said }, 'Noted. Stop now; the next sessions work on other items.');
    case 'question':
      return say(desk, { type: name, text: said }, 'Noted. Stop now: nobody answers while you work.');
    case 'progress':
      return say(desk, { type: name, text: said }, 'Noted for the log.');
    case 'lesson': {
      const kind = LESSON_KINDS.find(each => each === given.kind);
      if (!kind) return wrong(`kind has to be one of ${LESSON_KINDS.join(', ')}`);
      return say(desk, { type: name, kind, text: said }, 'Noted. It is kept if your item is accepted.');
    }
    default:
      return undefined;
  }
}

const NO_RUN = 'This session was not started by ralph run, so nobody would read it.';

export function look({ context }: Desk, what: unknown): Told {
  if (!context) return wrong('This session was not started by ralph run, so there is nothing to look up.');
  return isView(what)
    ? { text: VIEWS[what].text(context) }
    : wrong(`what has to be one of ${Object.keys(VIEWS).join(', ')}`);
}

function say({ inbox }: Desk, word: Word, told: string): Told {
  if (inbox === undefined) return wrong(NO_RUN);
  if ('text' in word && word.text === '') return wrong('text is missing');
  try {
    sayWord(inbox, word);
    return { text: told };
  } catch (error) {
    return wrong(`it could not be written down (${(error as Error).message}); say it in your final message`);
  }
}
