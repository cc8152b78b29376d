/** `ralph status --all`: every live or open run, in a few lines each. */
import { type RalphFolder, readRun, seatOfRun } from '../journal/index.ts';
import { allRuns, type RunRow } from '../morning/index.ts';
import { painter, say, statusJson } from '../report/index.ts';
import { currentRun, openProject, queueIn, queueLines } from '../start/index.ts';
import { plural, showBytes, showCost, showDuration } from '../util/show.ts';
import { type Call, switchFlag } from './command.ts';
import { liveNow } from './live-now.ts';
import { complain, print, wantsColor } from './print.ts';

export async function allStatus(call: Call): Promise<number> {
  const project = await openProject({ cwd: process.cwd(), env: process.env });
  if (!project.ok) return complain(project.error.failure, project.error.exit);
  const { folder } = project.value;
  const rows = (await allRuns(project.value)).filter(isShown);
  const waiting = queueIn(folder);
  if (switchFlag(call, 'json')) {
    const runs = await Promise.all(rows.map(({ run }) => jsonOf(run)));
    print(JSON.stringify({ runs: runs.filter(Boolean), queue: waiting }, undefined, 2));
    return 0;
  }
  const now = Date.now();
  if (rows.length + waiting.length === 0) print('No run is live or open here. Start one with: ralph run');
  for (const row of rows) print(linesOf(folder, row, now).join('\n'));
  for (const line of queueLines(waiting, now)) print(line);
  const live = rows.filter(({ state }) => state === 'live').length;
  const cost = rows.reduce((sum, row) => sum + row.costUsd, 0);
  if (rows.length > 0)
    print(
      `\n${plural(rows.length, 'run')}, ${live} live${cost > 0 ? `, ${showCost(cost)}` : ''}. One of them: ralph status --run ID`,
    );
  return 0;
}

const isShown = ({ state }: RunRow): boolean => state === 'live' || state === 'stopped' || state === 'cut off';

async function jsonOf(run: string): Promise<unknown> {
  const current = await currentRun({ run });
  if (!current.ok) return undefined;
  const { folder, state, items, records, owner } = current.value;
  const holder = owner && { pid: owner.process.pid, command: owner.command, since: owner.since };
  const live = owner && liveNow(folder, { pid: owner.process.pid, state });
  return { ...statusJson({ state, items, records, owner: holder, live }), port: owner?.port ?? null };
}

function linesOf(folder: RalphFolder, row: RunRow, now: number): readonly string[] {
  const paint = painter({ color: wantsColor() });
  const read = readRun(folder, row.run);
  const state = read.ok ? read.value.state : undefined;
  const word = state?.paused ? 'paused' : state?.waitUntil !== undefined ? 'waiting' : row.state;
  const age = state ? `, begun ${showDuration(Math.max(0, now - state.startedAt))} ago` : '';
  const spent = row.costUsd > 0 ? `  ${showCost(row.costUsd)}` : '';
  const head = `${row.run}  ${paint(row.state === 'live' ? 'good' : 'warn', word)}  ${row.done} of ${row.total} done${spent}${age}`;
  const { openIterations: [open, ...others] = [] } = state ?? {};
  const seat = state && seatOfRun(folder, state);
  // What is newest there is one worker's, of whichever item.
  const live =
    open && others.length === 0 && seat && row.pid !== undefined ? liveNow(seat, { pid: row.pid, state }) : {};
  const doing = live.gate ? `gate ${say(live.gate.name, 40)}` : say(live.doing ?? '', 60);
  const place = [
    `${row.plan} on ${row.branch}`,
    ...(row.diskBytes === undefined ? [] : [`worktree ${showBytes(row.diskBytes)}`]),
    ...(row.port === undefined ? [] : [`ports ${row.port}-${row.port + 9}`]),
  ];
  return [
    head,
    `  ${say(place.join(', '), 120)}`,
    ...(open ? [`  ${say(open.item)}, attempt ${open.attempt}${doing ? `: ${doing}` : ''}`] : []),
    ...others.map(({ item, attempt }) => `  ${say(item)}, attempt ${attempt}`),
    ...(state?.finished && row.state !== 'live' ? [`  ${say(state.finished.why, 120)}`] : []),
  ];
}
