/** `ralph review --items`: a reviewer looks at items that are done and were never reviewed. */
import type { Durable, EventSink } from '../events.ts';
import { Stopper } from '../process/index.ts';
import { describeStop, say } from '../report/index.ts';
import { type RunResult, run } from '../run.ts';
import { plural } from '../util/show.ts';
import { type Call, switchFlag, textFlag } from './command.ts';
import { print } from './print.ts';
import { openView, overridesOf, showResult } from './run.ts';
import { onSignals } from './signals.ts';
import { smallHeap } from './small-heap.ts';

type Reviewed = Extract<Durable, { type: 'review.finished' }>;

export async function reviewItems(call: Call): Promise<number> {
  const stopper = new Stopper();
  const quit = onSignals(stopper);
  const view = openView(call);
  const plan = textFlag(call, 'plan');
  const made: Reviewed[] = [];
  const collect: EventSink = event => {
    if (event.type === 'review.finished') made.push(event);
  };
  try {
    const result = await run({
      overrides: overridesOf(call),
      reviewItems: call.args,
      stopper,
      view: view.sink,
      sinks: [smallHeap(), collect],
      command: `ralph ${process.argv.slice(2).join(' ')}`.slice(0, 200),
      ...(plan === undefined ? {} : { plan }),
    });
    view.close();
    if (result.type === 'refused') return showResult(call, result);
    if (!switchFlag(call, 'json')) print(summary(result, made));
    return exitOf(result, made);
  } finally {
    view.close();
    quit();
  }
}

/** Work that is left in the plan does not make the reviews fail. */
function exitOf({ reason, exit }: Extract<RunResult, { type: 'finished' }>, made: readonly Reviewed[]): number {
  if (reason !== 'once') return exit;
  return lastOf(made).every(({ verdict }) => verdict === 'pass') ? 0 : 1;
}

function summary({ reason, why, state }: Extract<RunResult, { type: 'finished' }>, made: readonly Reviewed[]): string {
  const last = lastOf(made);
  if (last.length === 0 && ['once', 'complete'].includes(reason))
    return 'Nothing to review: no item is done that was not reviewed before.';
  const width = Math.max(0, ...last.map(({ item }) => say(item, 40).length));
  const rows = last.map(review => `  ${say(review.item, 40).padEnd(width)}  ${verdictWords(review)}`);
  const fixes = last.flatMap(({ fix }) => fix ?? []);
  const unsettled = last.filter(({ verdict, fix }) => verdict !== 'pass' && fix === undefined);
  const next = [
    ...(fixes.length > 0 ? [`Next: ralph run works on ${fixes.map(fix => say(fix, 40)).join(', ')}`] : []),
    ...(unsettled.length > 0
      ? ['Next: ralph report has the findings; ralph retry ITEM or ralph done ITEM settles it']
      : []),
  ];
  const end = ['once', 'complete'].includes(reason) ? [] : [describeStop(reason, why)];
  const head = `${plural(last.length, 'item')} reviewed on ${say(state.branch)}`;
  return ['', head, ...rows, ...end, ...next].join('\n');
}

/** The last review of each item. */
const lastOf = (made: readonly Reviewed[]): readonly Reviewed[] =>
  made.filter(({ item }, at) => !made.slice(at + 1).some(later => later.item === item));

function verdictWords({ verdict, findings, fix, why }: Reviewed): string {
  const found = findings.length === 0 ? '' : `, ${plural(findings.length, 'finding')}`;
  switch (verdict) {
    case 'pass':
      return `passed${found}`;
    case 'needs-fix':
      return `needs a fix${fix === undefined ? '' : `: ${say(fix, 40)}`}${found}`;
    case 'unclear':
      return `unclear: ${say(why, 100)}`;
  }
}
