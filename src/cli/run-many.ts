/** `ralph run a.json b.json c.json`: one run per plan, side by side, each in its own worktree. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Event } from '../events.ts';
import { startChildRun } from '../process/index.ts';
import { shellWord, sideBySide } from '../report/index.ts';
import { parseJson } from '../util/json.ts';
import type { Failure } from '../util/result.ts';
import { quoted } from '../util/shell-word.ts';
import { plural } from '../util/show.ts';
import { type Call, switchFlag } from './command.ts';
import { detachAll } from './detach.ts';
import { canRedraw, complain, print, wantsColor } from './print.ts';

/** Flags that make sense for one plan only. */
const FOR_ONE = ['plan', 'only', 'reset', 'branch', 'attended', 'dry-run'];

export async function runMany(call: Call): Promise<number> {
  const wrong = refuseMany(call);
  if (wrong) return complain(wrong);
  const [node = process.execPath, program = ''] = process.argv;
  const argvOf = (plan: string, ...more: readonly string[]): readonly [string, ...string[]] => [
    node,
    program,
    'run',
    plan,
    '--worktree',
    ...flagsOf(call),
    ...more,
  ];
  if (switchFlag(call, 'detach')) return await detachAll(call.args.map(plan => ({ plan, argv: argvOf(plan) })));
  const ended = await runAll(call, argvOf);
  return Math.max(...ended);
}

function refuseMany({ args, flags }: Call): Failure | undefined {
  if (args.slice(0, 2).every(isBareWord)) {
    return {
      reason: 'usage',
      message: `${args.slice(0, 2).map(shellWord).join(' and ')} are no plans: there are no such files`,
      hint: `A task in words is one argument: ralph run ${quoted(args.join(' '))}`,
    };
  }
  const flag = FOR_ONE.find(name => flags.has(name));
  if (flag !== undefined) {
    return {
      reason: 'usage',
      message: `--${flag} is for one plan, and ${args.length} are named`,
      hint: `One at a time: ralph run ${shellWord(args[0] ?? '')} --${flag} ...`,
    };
  }
  const paths = args.map(plan => resolve(plan));
  const twice = args.find((_, at) => paths.indexOf(paths[at] ?? '') !== at);
  return twice === undefined
    ? undefined
    : { reason: 'usage', message: `${twice} is named twice`, hint: 'Each plan is run once at a time.' };
}

/** No path, no address and no id of a run: most likely a word of a task that was given without quotes. */
const isBareWord = (given: string): boolean => /^[\p{L}'’,-]+$/u.test(given) && !existsSync(given);

/** The given flags, for each of the runs. */
const flagsOf = ({ flags }: Call): readonly string[] =>
  [...flags].flatMap(([name, value]) => {
    if (['detach', 'worktree', 'json', 'quiet', 'verbose'].includes(name)) return [];
    return value === true ? [`--${name}`] : [`--${name}=${timed(name, value)}`];
  });

/** Durations were parsed to milliseconds. */
const timed = (name: string, value: string | number): string =>
  /timeout$/.test(name) && typeof value === 'number' ? `${Math.max(1, Math.round(value / 1000))}s` : String(value);

async function runAll(
  call: Call,
  argvOf: (plan: string, ...more: readonly string[]) => readonly [string, ...string[]],
): Promise<readonly number[]> {
  const { args } = call;
  const json = switchFlag(call, 'json');
  const quiet = json || switchFlag(call, 'quiet');
  const isTerminal = canRedraw();
  const view = sideBySide({
    names: args,
    write: text => {
      if (!quiet) process.stdout.write(text);
    },
    color: wantsColor(),
    verbose: switchFlag(call, 'verbose'),
    columns: isTerminal && !quiet ? () => process.stdout.columns || 80 : undefined,
  });
  const runs = args.map(plan => {
    const sink = view.sink(plan);
    const last = { plan, said: '' };
    const child = startChildRun({
      argv: argvOf(plan, '--json'),
      onLine: line => {
        const event = eventIn(line);
        if (json && event) print(JSON.stringify({ plan, ...event }));
        if (!event || event.type === 'refused') return;
        if (event.type === 'run.started') last.said = event.run;
        sink(event, event.at);
      },
      onTrouble: line => (quiet ? process.stderr.write(`${plan}: ${line}\n`) : view.say(plan, line)),
    });
    return { plan, child, last };
  });
  const off = passOn(signal => {
    for (const { child } of runs) child.kill(signal);
  });
  const codes = await Promise.all(runs.map(({ child }) => child.ended));
  off();
  view.close();
  if (!json) print(closing(args, codes));
  return codes;
}

type Told = (Event & { readonly at: number }) | { readonly type: 'refused' };

const eventIn = (line: string): Told | undefined => parseJson(line) as Told | undefined;

/** Forwards Ctrl-C, which reaches only this process, to all runs. A closed terminal ends none of them. */
function passOn(send: (signal: NodeJS.Signals) => void): () => void {
  const handlers = { SIGINT: () => send('SIGINT'), SIGTERM: () => send('SIGTERM'), SIGHUP: () => undefined };
  for (const [signal, handler] of Object.entries(handlers)) process.on(signal, handler);
  return () => {
    for (const [signal, handler] of Object.entries(handlers)) process.off(signal, handler);
  };
}

const MEANS: Readonly<Record<number, string>> = {
  0: 'complete',
  1: 'stopped with work left',
  2: 'could not be read',
  3: 'needs you',
  4: 'was not started',
  130: 'interrupted',
  143: 'interrupted',
};

function closing(plans: readonly string[], codes: readonly number[]): string {
  const width = Math.max(...plans.map(plan => plan.length));
  const rows = plans.map(
    (plan, at) => `  ${plan.padEnd(width)}  ${MEANS[codes[at] ?? 1] ?? `ended with exit code ${codes[at]}`}`,
  );
  const done = codes.filter(code => code === 0).length;
  return ['', `${done} of ${plural(plans.length, 'run')} complete`, ...rows, '', 'Next: ralph review'].join('\n');
}
