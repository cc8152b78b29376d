/**
 * Commands of the page. Each starts the same command as in a terminal, with these arguments, so it goes through the same
 * files and the same confirmations; no part of a request is ever used as a command, a path or a flag.
 */
import { planKey, storeOf } from '../journal/index.ts';
import { runHere } from '../process/index.ts';
import { planName, type Standing, shellWord } from '../report/index.ts';
import { jsonFields } from '../util/json.ts';
import { type Failure, fail, ok, type Result } from '../util/result.ts';
import { plain } from '../util/show.ts';
import { type CommandAnswer, type CommandBody, type Look, typed } from '../view/index.ts';

export interface Refused {
  readonly status: number;
  readonly failure: Failure;
}

const TIMEOUT_MS = 30_000;

export async function obey(look: Look, body: CommandBody): Promise<Result<CommandAnswer, Refused>> {
  const refused = whyNot(look, body);
  if (refused) return fail(refused);
  const { root } = look.place;
  // A branch that a run switches to need not have the folder in which the page was started.
  const words = wordsOf(look, body, { cwd: root, root });
  const [node, program = ''] = process.argv;
  const ran = await runHere({
    argv: [node ?? process.execPath, program, ...words],
    cwd: root,
    env: { ...process.env, RALPH_VIA: 'page', NO_COLOR: '1' },
    timeoutMs: TIMEOUT_MS,
  });
  if (ran.code === 0)
    return ok({
      message: plain(ran.stdout).trim(),
      command: typed(look.place, shown(wordsOf(look, body, look.place))),
    });
  return fail({ status: 409, failure: failureIn(ran.stderr) });
}

function whyNot(look: Look, body: CommandBody): Refused | undefined {
  const { owner, facts, plan } = look;
  const { state } = facts;
  if (!('item' in body)) {
    if (owner) return undefined;
    const failure: Failure = {
      reason: 'no-live-run',
      message: 'this run is not live',
      hint: 'Continue with: ralph run',
    };
    return { status: 409, failure };
  }
  if (!plan.items.some(({ id }) => id === body.item)) {
    const message = `the plan has no item ${body.item.slice(0, 80)}`;
    return { status: 404, failure: { reason: 'no-item', message, hint: 'See: ralph items' } };
  }
  // A mark goes to the newest run of its plan: older runs are history.
  const key = planKey({ path: state.plan.path, promptText: state.promptText });
  const newest = storeOf(look.place.folder)
    .runsWithPlans()
    .find(run => run.plan === key);
  if (newest === undefined || newest.run === look.run) return undefined;
  const message = `${look.run} is no longer the newest run of this plan: ${newest.run} is`;
  return { status: 409, failure: { reason: 'no-live-run', message, hint: `Open ${newest.run} instead.` } };
}

/** The arguments of a command. A person's text comes after `=` or `--`, where it cannot be read as a flag. */
function wordsOf({ facts, run }: Look, body: CommandBody, standing: Standing): readonly string[] {
  // Several runs may be live; without a name the one that started last would be meant.
  const named = `--run=${run}`;
  const plan = `--plan=${planName(facts.state, standing)}`;
  const confirm = 'confirm' in body && body.confirm ? [`--confirm=${body.confirm}`] : [];
  switch (body.type) {
    case 'pause':
    case 'resume':
      return [body.type, named];
    case 'stop':
      return ['stop', named, ...(body.now ? ['--now'] : [])];
    case 'steer':
      return ['steer', named, ...confirm, '--', body.text];
    case 'answer':
      return ['answer', plan, ...confirm, '--', body.item, body.text];
    case 'retry':
      return ['retry', plan, ...confirm, ...(body.hint === '' ? [] : [`--with=${body.hint}`]), '--', body.item];
    case 'skip':
    case 'block':
      return [body.type, plan, ...confirm, ...(body.why ? [`--why=${body.why}`] : []), '--', body.item];
    case 'done':
    case 'reset':
    case 'unblock':
      return [body.type, plan, ...confirm, '--', body.item];
  }
}

/** `--` stays only before what would be read as a flag. */
const shown = (words: readonly string[]): string =>
  [
    'ralph',
    ...words
      .filter((word, index) => (word !== '--' || words[index + 1]?.startsWith('-')) && !word.startsWith('--confirm='))
      .map(shellWord),
  ].join(' ');

/** The failure in the last line of stderr, which is JSON. */
function failureIn(stderr: string): Failure {
  const last = stderr.trim().split('\n').at(-1) ?? '';
  const said: Partial<Failure> = jsonFields(last);
  const { reason, hint } = said;
  if (reason !== undefined && typeof said.message === 'string')
    return { reason, message: said.message, ...(hint ? { hint } : {}) };
  // A crash is described in words.
  const message =
    plain(stderr)
      .trim()
      .replace(/^ralph: /, '')
      .slice(0, 500) || 'the command did not end in time';
  return { reason: 'no-answer', message, hint: 'Try it in a terminal, where it can say more.' };
}
