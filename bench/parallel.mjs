/** Several workers: how close a run comes to the time that its agents need anyway, compared with a bare shell loop. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { median, must, time } from './measure.mjs';
import { makeProject } from './project.mjs';

const ITEMS = 12;
const PROBE = fileURLToPath(new URL('./probe.cjs', import.meta.url));

/** In the uneven kind, every fourth item takes three times as long. */
const worksMs = (n, uneven) => (uneven && n % 4 === 0 ? 3000 : 1000);

/** For the kind with gates. The merge line runs the gate again on the merged tree; the shell loop only before its commit. */
const GATE_MS = 1000;
const GATE = `sleep ${GATE_MS / 1000}`;

const AGENT = 'case $RALPH_ITEM in *4|*8|*12) ms=$3;; *) ms=1000;; esac; exec "$1" "$2" each "$ms"';

const agentOf = ({ bench, log, uneven }) => [
  'sh',
  '-c',
  AGENT,
  'agent',
  bench.agent.program,
  log,
  uneven ? '3000' : '1000',
];

/** The minimum time for this many workers, if a free worker always takes the next item. */
function idealMs({ workers, uneven, gated }) {
  const until = Array.from({ length: workers }, () => 0);
  for (let n = 1; n <= ITEMS; n++) {
    const next = until.indexOf(Math.min(...until));
    until[next] += worksMs(n, uneven) + (gated ? GATE_MS : 0);
  }
  return Math.max(...until);
}

/** Worktrees, one lock for taking an item and another for merging it; the plan is marked on the branch. */
const BASH_WORKERS = `
workers=$1 items=$2 gate=$3
shift 3
top=$PWD
echo 0 > "$top/.git/next"
work() {
  git worktree add -q --detach ".git/worker-$1" HEAD && cd ".git/worker-$1" || exit 1
  shift
  while :; do
    n=$(flock "$top/.git/take" sh -c 'read n < "$1"; echo $((n + 1)) > "$1"; echo $((n + 1))' sh "$top/.git/next")
    [ "$n" -le "$items" ] || break
    id=$(printf 'US-%04d' "$n")
    git checkout -q --detach bench
    RALPH_ITEM=$id "$@" < prd.json
    [ -z "$gate" ] || sh -c "$gate"
    git add -A && git commit -qm "feat($id): done"
    land "$id" "$(git rev-parse HEAD)"
  done
}
land() {
  exec 9> "$top/.git/land"
  flock 9
  git -C "$top" merge -q --no-edit "$2" || exit 1
  sed -i "/\\"id\\": \\"$1\\"/,/\\"passes\\"/s/\\"passes\\": false/\\"passes\\": true/" "$top/prd.json"
  git -C "$top" commit -qam "mark $1"
  flock -u 9
}
for ((w = 1; w <= workers; w++)); do work "$w" "$@" & done
wait
`;

function marked(text, name) {
  const marks = text.match(/"passes": true/g)?.length ?? 0;
  if (marks !== ITEMS) throw new Error(`${name}: ${marks} marks for ${ITEMS} items`);
}

const linesOf = text => text.trim().split('\n');

/** From the first agent's start to the last landing, by the journal: without the start and the end of the program. */
function fromAgentToLanding(folder) {
  const runs = join(folder, '.ralph', 'runs');
  const [run] = readdirSync(runs).filter(name => !name.startsWith('.'));
  const records = linesOf(readFileSync(join(runs, run, 'journal.jsonl'), 'utf8')).map(line => JSON.parse(line));
  const first = records.find(({ type }) => type === 'agent.started');
  const last = records.findLast(({ type }) => type === 'iteration.finished');
  return last.at - first.at;
}

function bashWorkers({ bench, name, workers, uneven, gated }) {
  const folder = join(bench.folder, name);
  makeProject(folder, { items: ITEMS, agent: [], env: bench.env });
  const log = join(bench.folder, `${name}.log`);
  const given = [String(workers), String(ITEMS), gated ? GATE : ''];
  const argv = ['bash', '-c', BASH_WORKERS, 'bash', ...given, ...agentOf({ bench, log, uneven })];
  const taken = time(argv, { cwd: folder, env: bench.env });
  const over = bench.agent.now();
  marked(readFileSync(join(folder, 'prd.json'), 'utf8'), name);
  const starts = linesOf(readFileSync(log, 'utf8')).map(line => BigInt(line.split(' ')[0]));
  const first = starts.reduce((least, start) => (start < least ? start : least));
  // It ends with its last landing.
  return { ...taken, inner: Number(over - first) / 1e6 };
}

function ralphWorkers({ bench, name, workers, uneven, gated }) {
  const folder = join(bench.folder, name);
  const log = join(bench.folder, `${name}.log`);
  const memory = join(bench.folder, `${name}.memory`);
  const gates = gated ? [GATE] : [];
  makeProject(folder, { items: ITEMS, agent: agentOf({ bench, log, uneven }), env: bench.env, gates });
  writeFileSync(log, '');
  const argv = [
    process.execPath,
    '--require',
    PROBE,
    bench.cli,
    'run',
    '--worktree',
    '--parallel',
    String(workers),
    '--branch',
    'run',
  ];
  const taken = time(argv, { cwd: folder, env: { ...bench.env, BENCH_MEMORY: memory } });
  marked(must(['git', 'show', 'run:prd.json'], { cwd: folder, env: bench.env }), name);
  const calls = linesOf(readFileSync(log, 'utf8')).length;
  if (calls !== ITEMS) throw new Error(`${name}: ${calls} agents for ${ITEMS} items`);
  return { ...taken, inner: fromAgentToLanding(folder), peak: Number(readFileSync(memory, 'utf8')) };
}

const KINDS = [
  { workers: 1 },
  { workers: 4, least: 0.95 },
  { workers: 4, uneven: true, least: 0.93 },
  { workers: 8 },
  { workers: 4, gated: true },
];

/** The ratio of the wall time to the ideal time: the inverse of the efficiency. */
export function parallel(bench, { slow: { repeats } }) {
  const runs = KINDS.map(kind => {
    const taken = { ralph: [], bash: [] };
    for (let round = 0; round < repeats; round++) {
      const name = `${kind.workers}${kind.uneven ? '-uneven' : ''}${kind.gated ? '-gated' : ''}-${round}`;
      taken.ralph.push(ralphWorkers({ bench, ...kind, name: `parallel-ralph-${name}` }));
      taken.bash.push(bashWorkers({ bench, ...kind, name: `parallel-bash-${name}` }));
    }
    return { kind, taken };
  });
  const rows = runs.flatMap(({ kind: { workers, uneven, gated, least }, taken }) => {
    const ideal = idealMs({ workers, uneven, gated });
    const more = `${uneven ? ', every fourth of 3 s' : ''}${gated ? `, a gate of ${GATE_MS / 1000} s` : ''}`;
    const kind = `${ITEMS} items of 1 s${more}, --parallel ${workers}`;
    const row = (what, of) => {
      const [ralph, bash] = ['ralph', 'bash'].map(name => median(taken[name].map(of)));
      const against = `${(ideal / bash).toFixed(3)} bash worktrees`;
      return { what: `${what}, ${kind}`, ours: (ideal / ralph).toFixed(3), against, ratio: ralph / ideal };
    };
    return [
      {
        ...row('efficiency (ideal time over wall time)', run => run.wall),
        ...(least === undefined ? {} : { target: Number((1 / least).toFixed(3)) }),
      },
      row("the same from the first agent's start to the last landing", run => run.inner),
    ];
  });
  const cpu = ({ taken }) => median(taken.ralph.map(run => run.cpu)) / ITEMS;
  const [alone, four, , eight] = runs;
  const peak = median(eight.taken.ralph.map(run => run.peak));
  return [
    ...rows,
    {
      what: 'CPU per item, --parallel 4 against 1',
      ours: `${cpu(four).toFixed(0)} ms`,
      against: `${cpu(alone).toFixed(0)} ms`,
      ratio: cpu(four) / cpu(alone),
      target: 1.3,
    },
    { what: 'peak memory, --parallel 8', ours: `${peak.toFixed(0)} MB`, megabytes: peak, most: 150 },
  ];
}
