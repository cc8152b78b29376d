/** `ralph review`: the morning view. */
import { branchesSince, reviewJson, reviewText } from '../morning/index.ts';
import { painter, wrapText } from '../report/index.ts';
import { openProject } from '../start/index.ts';
import { parseDuration } from '../util/duration.ts';
import type { Failure } from '../util/result.ts';
import { quoted } from '../util/shell-word.ts';
import { type Call, type Handler, switchFlag, textFlag } from './command.ts';
import { columnsOf, complain, print, wantsColor } from './print.ts';

const DAY_MS = 24 * 60 * 60_000;

export const review: Handler = async call => {
  if (switchFlag(call, 'items')) return await (await import('./review-items.ts')).reviewItems(call);
  const wrong = onlyForItems(call);
  if (wrong) return complain(wrong);
  const now = Date.now();
  const since = sinceOf(textFlag(call, 'since'), now);
  if (since === undefined) {
    return complain({
      reason: 'usage',
      message: `--since expects a duration or a date, not "${textFlag(call, 'since')}"`,
      hint: 'For example: ralph review --since 3d, ralph review --since 2026-01-08',
    });
  }
  const project = await openProject({ cwd: process.cwd(), env: process.env });
  if (!project.ok) return complain(project.error.failure, project.error.exit);
  const branches = await branchesSince(project.value, since);
  if (switchFlag(call, 'json')) print(JSON.stringify(branches.map(reviewJson), undefined, 2));
  else {
    const columns = columnsOf();
    const text = reviewText(branches, painter({ color: wantsColor() }));
    print(columns === undefined ? text : wrapText(text, columns));
    // Only a person can decide: without a terminal, the overview is everything.
    if (process.stdin.isTTY && process.stdout.isTTY) {
      return await (await import('./review-decisions.ts')).takeDecisions(project.value, branches);
    }
  }
  return 0;
};

function onlyForItems({ args: [item], flags }: Call): Failure | undefined {
  const flag = ['plan', 'worktree', 'no-sandbox'].find(name => flags.has(name));
  if (item === undefined && flag === undefined) return undefined;
  const what = item === undefined ? `--${flag}` : `"${item}"`;
  const example = item === undefined ? 'ralph review --items US-1' : `ralph review --items ${quoted(item)}`;
  return { reason: 'usage', message: `${what} is for --items`, hint: `For example: ${example}` };
}

/** By default the last 24 hours. */
function sinceOf(text: string | undefined, now: number): number | undefined {
  if (text === undefined) return now - DAY_MS;
  const ms = parseDuration(text);
  if (ms !== undefined) return now - ms;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : at;
}
