/** The compared loops: ralph, and a minimal shell loop that marks the plan and commits, with fsync or without. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { mean, median, must } from './measure.mjs';
import { configure, makeProject } from './project.mjs';

const PROBE = fileURLToPath(new URL('./probe.cjs', import.meta.url));

const BASH_LOOP = `
log=$1 items=$2 gate=$3 durable=$4
shift 4
export BENCH_LOOP=$$
git=(git)
[ -z "$durable" ] || git=(git -c core.fsync=all -c core.fsyncMethod=batch)
for ((i = 1; i <= items; i++)); do
  printf -v id 'US-%04d' "$i"
  RALPH_ITEM=$id "$@" < prd.json
  [ -z "$gate" ] || sh -c "$gate" || exit 1
  sed -i "/\\"id\\": \\"$id\\"/,/\\"passes\\"/s/\\"passes\\": false/\\"passes\\": true/" prd.json
  [ -z "$durable" ] || sync prd.json .
  "\${git[@]}" add -A && "\${git[@]}" commit -qm "feat($id): done"
done
`;

/** A run of ralph with any agent: its peak memory in megabytes, and its start on the agent's clock. */
export function wholeRun({ bench, name, items, agent, gates, stopAfter, sandbox }) {
  const folder = join(bench.folder, name);
  makeProject(folder, { items, agent, env: bench.env, gates, sandbox });
  return runIn({ bench, folder, name, items, stopAfter });
}

function runIn({ bench, folder, name, items, stopAfter }) {
  const { env, cli } = bench;
  const memory = join(bench.folder, `${name}.memory`);
  const limit = stopAfter === undefined ? [] : ['--max-iterations', String(stopAfter)];
  const argv = [process.execPath, '--require', PROBE, cli, 'run', ...limit];
  const began = bench.agent.now();
  must(argv, {
    cwd: folder,
    env: { ...env, BENCH_MEMORY: memory },
    log: `${folder}.out`,
    expect: stopAfter === undefined ? 0 : 1,
  });
  const wall = Number(bench.agent.now() - began) / 1e6;
  // Without the expected commits, the measurement is meaningless.
  const commits = Number(must(['git', 'rev-list', '--count', 'main..'], { cwd: folder, env }));
  const wanted = stopAfter ?? items;
  if (commits !== wanted) throw new Error(`${name}: ${commits} commits for ${wanted} items`);
  return { folder, began, wall, peak: Number(readFileSync(memory, 'utf8')) };
}

/**
 * The plan run by ralph with the measuring agent. Here and below, the repository is kept until everything is measured: ext4
 * skips recently freed inodes one by one, which would make every new file of the next loop slower.
 */
export function ralphLoop({ bench, name, items, mode, stopAfter, worksMs, gates, tier }) {
  const log = join(bench.folder, `${name}.log`);
  const agent = agentOf({ bench, log, mode, worksMs });
  // The log is outside the tree, and must exist before a sandbox can allow it.
  if (tier) writeFileSync(log, '');
  const sandbox = tier && { tier, allow: { write: [log] } };
  const { folder, began, peak } = wholeRun({ bench, name, items, agent, stopAfter, gates, sandbox });
  const calls = readCalls(log);
  if (calls.length !== (stopAfter ?? items)) throw new Error(`${name}: ${calls.length} agents for ${items} items`);
  return { ...gapsOf(calls), peak, folder, toFirst: Number(calls[0].start - began) / 1e6 };
}

/** The same in an existing repository, whose branch is the run's own: the config names the agent. */
export function ralphLoopIn({ bench, folder, name, items, worksMs, gate }) {
  const log = join(bench.folder, `${name}.log`);
  configure(folder, { agent: agentOf({ bench, log, mode: 'each', worksMs }), gates: gate ? [gate] : [], items });
  const git = (...args) => must(['git', ...args], { cwd: folder, env: bench.env });
  git('commit', '-qam', 'Name the agent');
  git('branch', '-f', 'main');
  const { began, peak } = runIn({ bench, folder, name, items });
  const calls = readCalls(log);
  if (calls.length !== items) throw new Error(`${name}: ${calls.length} agents for ${items} items`);
  return { ...gapsOf(calls), peak, folder, toFirst: Number(calls[0].start - began) / 1e6 };
}

const agentOf = ({ bench, log, mode, worksMs }) => [
  bench.agent.program,
  log,
  mode,
  ...(worksMs === undefined ? [] : [String(worksMs)]),
];

/** `durable`: as safe against a power cut as ralph: objects, refs and the plan are fsynced before the next agent. */
export function bashLoop({ bench, name, items, mode, worksMs, agent, gate = '', durable = false }) {
  const folder = join(bench.folder, name);
  makeProject(folder, { items, agent: [], env: bench.env });
  return bashLoopIn({ bench, folder, name, items, mode, worksMs, agent, gate, durable });
}

/** The same in an existing repository. */
export function bashLoopIn({ bench, folder, name, items, mode = 'each', worksMs, agent, gate = '', durable = false }) {
  const { env } = bench;
  const log = join(bench.folder, `${name}.log`);
  const worker = agent ?? agentOf({ bench, log, mode, worksMs });
  const argv = ['bash', '-c', BASH_LOOP, 'bash', log, String(items), gate, durable ? 'durable' : '', ...worker];
  must(argv, { cwd: folder, env, log: `${folder}.out` });
  const calls = readCalls(log);
  const commits = Number(must(['git', 'rev-list', '--count', 'main..'], { cwd: folder, env }));
  const marked = readFileSync(join(folder, 'prd.json'), 'utf8').match(/"passes": true/g)?.length ?? 0;
  if (calls.length !== items || commits !== items || marked !== items) {
    throw new Error(`${name}: ${calls.length} agents, ${commits} commits, ${marked} marks for ${items} items`);
  }
  return gapsOf(calls);
}

const readCalls = log =>
  readFileSync(log, 'utf8')
    .trim()
    .split('\n')
    .map(line => {
      const [start, end, ticks = 0n, prompt = 0n] = line.split(' ').map(BigInt);
      return { start, end, ticks, prompt: Number(prompt) };
    });

/** Reads the log of another agent, whose lines are `start end`. */
export const gapsIn = log => gapsOf(readCalls(log));

/** Everything between the end of one agent and the start of the next. */
function gapsOf(calls) {
  const cpuOf = some => Number(some.at(-1).ticks - some[0].ticks);
  const gaps = calls.slice(1).map((call, index) => Number(call.start - calls[index].end) / 1e6);
  const quarter = Math.floor(gaps.length / 4);
  return {
    gap: median(gaps),
    /** From the start of one agent to the start of the next. */
    step: median(calls.slice(1).map((call, index) => Number(call.start - calls[index].start) / 1e6)),
    meanGap: mean(gaps),
    /** CPU of the loop and of all its ended child processes; the kernel counts 100 ticks per second. */
    cpu: (Number(calls.at(-1).ticks - calls[0].ticks) * 10) / (calls.length - 1),
    growth: median(gaps.slice(-quarter)) / median(gaps.slice(0, quarter)),
    prompts: calls.map(({ prompt }) => prompt),
    cpuGrowth: cpuOf(calls.slice(-quarter)) / cpuOf(calls.slice(0, quarter)),
  };
}
