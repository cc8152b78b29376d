/** What can be asked of a run: each control says what it does and what to type instead. */
import { shellWord } from '../report/index.ts';
import type { Look } from './library.ts';
import type { ControlView } from './types/run.ts';

export function controlsOf({ facts, owner, run }: Look, isReadonly: boolean): readonly ControlView[] {
  const { state } = facts;
  const plan = ` --plan ${shellWord(state.plan.path)}`;
  const isLive = owner !== undefined;
  const holds = state.paused || state.waitUntil !== undefined;
  const control = (
    type: ControlView['type'],
    [label, effect, command]: readonly [string, string, string],
    whyNot: string | false,
  ): ControlView => {
    const why = isReadonly ? 'this page was opened with --readonly' : whyNot || null;
    return { type, label, effect, command, enabled: why === null, why };
  };
  const over = !isLive && 'the run is not live';
  const item = (type: ControlView['type'], label: string, effect: string, more = '') =>
    control(type, [label, effect, `ralph ${type} ITEM${plan}${more}`], false);
  return [
    control(
      'pause',
      ['Pause after this', 'Holds after the current iteration', `ralph pause --run ${run}`],
      over || (state.paused && 'it is paused'),
    ),
    control(
      'resume',
      ['Resume', 'Ends the pause or the wait', `ralph resume --run ${run}`],
      over || (!holds && 'it is not paused'),
    ),
    control(
      'stop',
      ['Stop after this', 'Ends after the current iteration; now: ends the agent at once', `ralph stop --run ${run}`],
      over,
    ),
    control(
      'steer',
      ['Steer', 'Goes into every brief from the next iteration on', `ralph steer --run ${run} "TEXT"`],
      over,
    ),
    item('retry', 'Try again', 'From its first attempt, with your hint in the next brief', ' --with "HINT"'),
    item('skip', 'Skip', 'Leaves it out; what depends on it can start'),
    item('block', 'Block', 'Nobody works on it until it is unblocked'),
    item('unblock', 'Unblock', 'It is open again'),
    item('done', 'Mark done', 'Done because you say so; nothing is checked'),
    item('reset', 'Reset', 'It is open again, whatever was accepted'),
  ];
}
