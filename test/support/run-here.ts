/**
 * `ralph run` in the test's own process: the same flags, the same run, the same output, without starting a program, which
 * costs five times as much as a small run. What belongs to the process (signals, terminal, exit code, kills) needs
 * `repo.ralph`.
 */
import { parseCall, switchFlag, textFlag } from '../../src/cli/command.ts';
import { commandNamed } from '../../src/cli/commands.ts';
import { overridesOf } from '../../src/cli/run.ts';
import { jsonReporter, lineReporter, summaryText } from '../../src/report/index.ts';
import { type RunResult, run } from '../../src/run.ts';
import { describeFailure, type Failure } from '../../src/util/result.ts';
import { cleanEnv, type Ended } from './cli.ts';

export interface HereOptions {
  readonly cwd: string;
  readonly home: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Flags that the program handles before or instead of a run. */
const OF_THE_PROGRAM = ['after', 'at', 'attended', 'detach', 'dry-run', 'milestone', 'reset'];

export async function runHere(flags: readonly string[], { cwd, home, env }: HereOptions): Promise<Ended> {
  const command = commandNamed('run');
  const call = command && parseCall(command, flags);
  if (!call) throw new Error('there is no command run');
  if (!call.ok) return refused(call.error, 2);
  const own = OF_THE_PROGRAM.find(flag => call.value.flags.has(flag));
  if (own !== undefined || call.value.args.length > 1) throw new Error('that is done by the program: use repo.ralph');
  const out: string[] = [];
  const write = (text: string) => void out.push(text);
  const json = switchFlag(call.value, 'json');
  const verbose = switchFlag(call.value, 'verbose');
  const plan = call.value.args[0] ?? textFlag(call.value, 'plan');
  const only = textFlag(call.value, 'only');
  const result = await run({
    cwd,
    env: cleanEnv(home, env),
    overrides: overridesOf(call.value),
    once: switchFlag(call.value, 'once'),
    command: `ralph run ${flags.join(' ')}`.trim(),
    view: ({ limits }) => (json ? jsonReporter({ write }) : lineReporter({ write, color: false, limits, verbose })),
    ...(plan === undefined ? {} : { plan }),
    ...(only === undefined ? {} : { only }),
  });
  if (result.type === 'refused') {
    const line = json ? `${JSON.stringify({ type: 'refused', exit: result.exit, ...result.failure })}\n` : '';
    return refused(result.failure, result.exit, out.join('') + line);
  }
  const closing = json
    ? ''
    : summaryOf(
        result,
        out.some(text => / {2}end {8}/.test(text)),
      );
  const stderr = (result.undelivered ?? []).map(line => `ralph: ${line}\n`).join('');
  return { code: result.exit, signal: null, stdout: out.join('') + closing, stderr };
}

const refused = (failure: Failure, code: number, stdout = ''): Ended => ({
  code,
  signal: null,
  stdout,
  stderr: `ralph: ${describeFailure(failure)}\n`,
});

function summaryOf(
  {
    state,
    plan,
    others = [],
    archive,
    taken = false,
    commits,
    items,
    isNamed = false,
  }: Extract<RunResult, { type: 'finished' }>,
  endSaid: boolean,
): string {
  if (state.run === '') return 'Every item of the plan is done already.\n';
  const places = {
    taken,
    isNamed,
    commits,
    endSaid,
    ...(archive ? { archive } : {}),
    ...(state.from === undefined ? {} : { mergeInto: state.from }),
  };
  const text = summaryText({ state, items: items ?? plan.plan.items, color: false, others, ...places });
  return `\n${text.endsWith('\n') ? text : `${text}\n`}`;
}
