/** The measured sections. Each returns rows: what, our figure, the reference, the ratio and its target. */
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bashLoop, ralphLoop, wholeRun } from './loops.mjs';
import { compare, median, must, time } from './measure.mjs';
import { makePlanned } from './plans.mjs';

const ms = value => `${value.toFixed(1)} ms`;
const mb = value => `${value.toFixed(0)} MB`;
const bytes = value => `${value} B`;

/** The target for ralph if the shell loop also syncs objects, refs and plan. */
const DURABLE = 1.25;

/** A slow agent and a trivial gate, compared with the shell loop, synced and not. */
export function durable(bench, { slow: { items, repeats } }) {
  const kinds = [
    { what: 'wall time per iteration, agent of 200 ms', key: 'step', worksMs: 200 },
    { what: 'overhead per iteration, agent of 200 ms', key: 'gap', worksMs: 200 },
    { what: 'overhead per iteration, one gate `true`', key: 'gap', gate: 'true' },
  ];
  const runs = new Map();
  const three = ({ worksMs, gate }) => {
    const taken = { ours: [], bare: [], synced: [] };
    for (let round = 0; round < repeats; round++) {
      const one = { bench, items, mode: 'each', worksMs };
      const name = `${worksMs ?? 0}-${gate ? 'gate' : 'none'}-${round}`;
      taken.ours.push(ralphLoop({ ...one, name: `durable-ralph-${name}`, gates: gate ? [gate] : [] }));
      taken.synced.push(bashLoop({ ...one, name: `durable-synced-${name}`, gate, durable: true }));
      taken.bare.push(bashLoop({ ...one, name: `durable-bash-${name}`, gate }));
    }
    return taken;
  };
  return kinds.map(({ what, key, ...kind }) => {
    const id = JSON.stringify(kind);
    if (!runs.has(id)) runs.set(id, three(kind));
    const of = name => median(runs.get(id)[name].map(run => run[key]));
    return {
      what: `${what}, ${items} items (median)`,
      ours: ms(of('ours')),
      against: `synced bash loop ${ms(of('synced'))}; bash loop ${ms(of('bare'))} (${(of('ours') / of('bare')).toFixed(2)}×)`,
      ratio: of('ours') / of('synced'),
      target: DURABLE,
    };
  });
}

/** The time between two agents, compared with a shell loop that runs the same agent, marks the same plan and commits. */
export function overhead(bench, { items, repeats }) {
  const ours = [];
  const theirs = [];
  const synced = [];
  for (let round = 0; round < repeats; round++) {
    ours.push(ralphLoop({ bench, name: `ralph-${round}`, items, mode: 'each' }));
    theirs.push(bashLoop({ bench, name: `bash-${round}`, items, mode: 'each' }));
    synced.push(bashLoop({ bench, name: `synced-${round}`, items, mode: 'each', durable: true }));
  }
  const of = (runs, key) => median(runs.map(run => run[key]));
  const steps = [1, 10, 50, 200].filter(n => n <= items);
  const prompts = steps.map(n => ({ iteration: n, bytes: ours[0].prompts[n - 1] }));
  const first = prompts[0].bytes;
  return [
    {
      what: `overhead per accepted iteration, ${items} items (median)`,
      ours: ms(of(ours, 'gap')),
      against: `bash loop ${ms(of(theirs, 'gap'))}`,
      ratio: of(ours, 'gap') / of(theirs, 'gap'),
      target: 1.5,
    },
    {
      what: `overhead per accepted iteration, ${items} items (mean)`,
      ours: ms(of(ours, 'meanGap')),
      against: `bash loop ${ms(of(theirs, 'meanGap'))}`,
      ratio: of(ours, 'meanGap') / of(theirs, 'meanGap'),
    },
    {
      what: `overhead per accepted iteration, ${items} items, as durable (median)`,
      ours: ms(of(ours, 'gap')),
      against: `synced bash loop ${ms(of(synced, 'gap'))}`,
      ratio: of(ours, 'gap') / of(synced, 'gap'),
      target: DURABLE,
    },
    {
      what: `last quarter against first, ${items} items, growing repository`,
      ours: of(ours, 'growth').toFixed(2),
      against: `bash loop ${of(theirs, 'growth').toFixed(2)}`,
      ratio: of(ours, 'growth'),
    },
    {
      what: 'run to first agent',
      ours: ms(of(ours, 'toFirst')),
      against: `bare node ${ms(bareNode(bench))}`,
      ratio: of(ours, 'toFirst') / bareNode(bench),
      target: 3,
    },
    { what: `peak memory, ${items} iterations`, ours: mb(of(ours, 'peak')), megabytes: of(ours, 'peak'), most: 100 },
    ...prompts.map(({ iteration, bytes: length }) => ({
      what: `prompt of iteration ${iteration} of ${items}`,
      ours: bytes(length),
      against: `iteration 1 ${bytes(first)}`,
      ratio: length / first,
      target: 1.5,
    })),
  ];
}

let bare;
function bareNode({ env, folder }) {
  bare ??= compare([{ argv: [process.execPath, '-e', '0'], cwd: folder, env }], { rounds: 10 })[0].wall;
  return bare;
}

/** A long plan on a repository that does not grow: any growth is then ours. */
export function growth(bench, { long }) {
  if (long === 0) return [];
  const ours = ralphLoop({ bench, name: 'long', items: long, mode: 'same' });
  const theirs = bashLoop({ bench, name: 'long-bash', items: long, mode: 'same' });
  return [
    {
      what: `last quarter against first, ${long} items, constant repository`,
      ours: ours.growth.toFixed(2),
      against: `bash loop ${theirs.growth.toFixed(2)}`,
      ratio: ours.growth,
      target: 1.1,
    },
    {
      what: `last quarter against first, ${long} items, constant repository, CPU`,
      ours: ours.cpuGrowth.toFixed(2),
      against: `bash loop ${theirs.cpuGrowth.toFixed(2)}`,
      ratio: ours.cpuGrowth,
      target: 1.1,
    },
    {
      what: `overhead per accepted iteration, ${long} items (median)`,
      ours: ms(ours.gap),
      against: `bash loop ${ms(theirs.gap)}`,
      ratio: ours.gap / theirs.gap,
    },
    {
      what: `peak memory, ${long} iterations`,
      ours: mb(ours.peak),
      megabytes: ours.peak,
      most: long > 1000 ? 100 : 80,
    },
    ...stateLeft(ours.folder, long),
  ];
}

/** What a run leaves in `.ralph`. */
function stateLeft(folder, long) {
  const names = readdirSync(join(folder, '.ralph'), { recursive: true, withFileTypes: true });
  const sizes = names.filter(name => name.isFile()).map(name => statSync(join(name.parentPath, name.name)).size);
  const size = sizes.reduce((sum, each) => sum + each, 0) / 2 ** 20;
  return [
    {
      what: `size of .ralph after ${long} iterations`,
      ours: mb(size),
      against: `${sizes.length} files`,
      megabytes: size,
      ...(long > 1000 ? {} : { most: 25 }),
    },
  ];
}

const LOOKS = [
  { command: 'items', target: 1.5 },
  { command: 'logs', target: 1.5 },
  { command: 'report', target: 4 },
  { command: 'brief', target: 4 },
];

/** Read-only commands, compared with the start of bare node. */
export function startUp(bench, { items, rounds, long }) {
  const { env, folder, cli } = bench;
  const many = long || items;
  const few = 10;
  // One item is left, so that there is a brief to show.
  const longRun = ralphLoop({ bench, name: 'many', items: many + 1, mode: 'same', stopAfter: many }).folder;
  const shortRun = ralphLoop({ bench, name: 'few', items: many, mode: 'same', stopAfter: few }).folder;
  const node = [process.execPath];
  const [bareRun, version, help, statusFew, statusMany, ...looks] = compare(
    [
      { argv: [...node, '-e', '0'], cwd: folder, env },
      { argv: [...node, cli, '--version'], cwd: folder, env },
      { argv: [...node, cli, '--help'], cwd: folder, env },
      { argv: [...node, cli, 'status'], cwd: shortRun, env },
      { argv: [...node, cli, 'status'], cwd: longRun, env },
      ...LOOKS.map(({ command }) => ({ argv: [...node, cli, command], cwd: longRun, env })),
    ],
    { rounds },
  );
  for (const { command } of [{ command: 'status' }, ...LOOKS]) must([...node, cli, command], { cwd: longRun, env });
  const against = (what, ours, { base = bareRun, name = 'bare node', target }) => ({
    what,
    ours: `${ms(ours.wall)} (cpu ${ms(ours.cpu)})`,
    against: `${name} ${ms(base.wall)} (cpu ${ms(base.cpu)})`,
    ratio: ours.wall / base.wall,
    cpuRatio: ours.cpu / base.cpu,
    minRatio: ours.wallMin / base.wallMin,
    ...(target === undefined ? {} : { target }),
  });
  return [
    against('`ralph --version`', version, { target: 1.5 }),
    against('`ralph --help`', help, { target: 1.5 }),
    against(`\`ralph status\` after ${few} iterations of ${many}`, statusFew, { target: 1.5 }),
    against(`\`ralph status\` after ${many} iterations`, statusMany, { target: 1.5 }),
    against(`\`ralph status\`, ${many} iterations against ${few}`, statusMany, {
      base: statusFew,
      name: `${few} iterations`,
      target: 1.1,
    }),
    ...LOOKS.map(({ command, target }, at) =>
      against(`\`ralph ${command}\` after ${many} iterations`, looks[at], { target }),
    ),
  ];
}

/** An agent that prints without end. */
export function memory(bench, { outputBytes }) {
  const line = 'x'.repeat(119);
  const script = [
    `yes ${line} | head -c ${outputBytes}`,
    'echo',
    'echo done > "work/$RALPH_ITEM.txt"',
    'echo "RALPH_TASK_COMPLETE: $RALPH_ITEM"',
  ].join('\n');
  const file = join(bench.folder, 'loud.sh');
  writeFileSync(file, `${script}\n`);
  const { peak, wall } = wholeRun({ bench, name: 'loud', items: 1, agent: ['/bin/sh', file] });
  return [
    {
      what: `peak memory, ${(outputBytes / 2 ** 20).toFixed(0)} MB of agent output`,
      ours: mb(peak),
      against: `took ${(wall / 1000).toFixed(1)} s`,
      megabytes: peak,
      most: 100,
    },
  ];
}

/** An event as Claude Code prints it: a tool call and its result, about four kilobytes. */
const EVENTS = [
  {
    type: 'assistant',
    message: { id: 'm', content: [{ type: 'tool_use', id: 't', name: 'Bash', input: { command: 'npm test' } }] },
  },
  {
    type: 'user',
    message: { content: [{ type: 'tool_result', tool_use_id: 't', content: 'a line of output\n'.repeat(240) }] },
  },
];

/** An agent whose stream of events is read to its end: parsed, counted, logged and shown, within the same memory. */
export function stream(bench, { streamBytes }) {
  const bin = join(bench.folder, 'stream-bin');
  mkdirSync(bin, { recursive: true });
  const events = join(bench.folder, 'events.jsonl');
  const text = EVENTS.map(event => JSON.stringify(event)).join('\n');
  writeFileSync(events, text);
  const lines = 2 * Math.ceil(streamBytes / text.length);
  const script = [
    '#!/bin/sh',
    'cat > /dev/null',
    `yes "$(cat ${events})" | head -n ${lines}`,
    'echo done > "work/$RALPH_ITEM.txt"',
    `printf '{"type":"result","subtype":"success","is_error":false,"result":"RALPH_TASK_COMPLETE: %s"}\\n' "$RALPH_ITEM"`,
  ].join('\n');
  writeFileSync(join(bin, 'claude'), `${script}\n`, { mode: 0o755 });
  const env = { ...bench.env, PATH: `${bin}:${bench.env.PATH}` };
  const { peak, wall } = wholeRun({ bench: { ...bench, env }, name: 'stream', items: 1, agent: { use: 'claude' } });
  return [
    {
      what: `peak memory, ${(streamBytes / 2 ** 20).toFixed(0)} MB of a stream of events`,
      ours: mb(peak),
      against: `took ${(wall / 1000).toFixed(1)} s`,
      megabytes: peak,
      most: 100,
    },
  ];
}

/** Small and large item counts by format; nobody writes thousands of prompts by hand. */
const PLAN_SIZES = { prd: [1000, 5000], checklist: [1000, 5000], sprint: [1000, 5000], groups: [40, 200] };

/** `ralph done <item>` as a person calls it, minus the start of node itself. */
export function plans(bench, { rounds }) {
  const { env, folder, cli } = bench;
  const ralph = args => [process.execPath, cli, ...args];
  const cases = Object.entries(PLAN_SIZES).flatMap(([format, sizes]) =>
    sizes.map(items => {
      const made = makePlanned(join(folder, `plan-${format}-${items}`), { format, items, env, cli });
      return { ...made, format, items, taken: [] };
    }),
  );
  const bareTaken = [];
  for (let round = 0; round < rounds + 1; round++) {
    const bareRun = time([process.execPath, '-e', '0'], { cwd: folder, env });
    if (round > 0) bareTaken.push(bareRun.wall);
    for (const one of cases) {
      const { wall } = time(ralph(one.mark), { cwd: one.folder, env });
      // Undoing the mark also shows that it was there.
      must(ralph(one.undo), { cwd: one.folder, env });
      if (round > 0) one.taken.push(wall);
    }
  }
  const start = median(bareTaken);
  const over = one => median(one.taken) - start;
  return Object.keys(PLAN_SIZES).map(format => {
    const [few, many] = cases.filter(one => one.format === format);
    return {
      what: `mark in a ${format} plan of ${many.items} items, on top of bare node`,
      ours: ms(over(many)),
      against: `${few.items} items ${ms(over(few))}; bare node ${ms(start)}`,
      // On a busy machine the small plan can seem to take no time, or less.
      ratio: over(many) / Math.max(over(few), start / 4),
      // Linear: five times the items, with some room for a busy machine.
      target: 6,
      milliseconds: over(many),
      mostMs: 100,
    };
  });
}
