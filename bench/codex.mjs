/** The runner's share with a real agent: codex under ralph, compared with codex in a bare loop. The model is a script on loopback. */
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { agents } from '../test/real-agents/agents.mjs';
import { install } from '../test/real-agents/install.mjs';
import { bashLoop, gapsIn, wholeRun } from './loops.mjs';
import { median } from './measure.mjs';

const INSTALL_MS = 600_000;
const ms = value => `${value.toFixed(1)} ms`;

/** The flags of codex in the bare loop: the same as under ralph. */
const FLAGS = ['exec', '--json', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', '-'];

export async function codex(bench, { slow: { repeats } }) {
  const items = 20;
  const { folder: installed, error } = install('codex', INSTALL_MS);
  if (error) return [{ what: `codex: NOT MEASURED (it cannot be installed: ${error})`, ours: '-', against: '-' }];
  const model = await startModelBeside();
  try {
    agents.codex.prepare(bench.env.HOME, model.url);
    const bin = join(bench.folder, 'codex-bin');
    const env = { ...bench.env, ...agents.codex.env(model.url), PATH: `${bin}:${bench.env.PATH}` };
    const [program] = agents.codex.run(installed);
    const runs = { ours: [], bare: [] };
    for (let round = 0; round < repeats; round++) {
      const loops = { bench: { ...bench, env }, items };
      const log = link({ bin, program, log: join(bench.folder, `codex-ours-${round}.log`) });
      const before = childCpu();
      wholeRun({ ...loops, name: `codex-ours-${round}`, agent: 'codex' });
      const between = childCpu();
      runs.ours.push({ ...gapsIn(log), cpu: (between - before) / items });
      const name = `codex-bare-${round}`;
      link({ bin, program, log: join(bench.folder, `${name}.log`) });
      const bare = bashLoop({ ...loops, name, agent: [join(bin, 'codex'), ...FLAGS] });
      runs.bare.push({ ...bare, cpu: (childCpu() - between) / items });
    }
    const of = (name, key) => median(runs[name].map(run => run[key]));
    const row = (what, key) => ({
      what: `${what} with the real codex ${agents.codex.version}, ${items} items (median)`,
      ours: ms(of('ours', key)),
      against: `bare loop ${ms(of('bare', key))}`,
      ratio: of('ours', key) / of('bare', key),
    });
    return [
      row('wall time per iteration', 'step'),
      row('overhead per iteration', 'gap'),
      row('CPU per iteration, all of the loop', 'cpu'),
    ];
  } finally {
    await model.close();
  }
}

/** CPU milliseconds of all ended child processes; the kernel counts 100 ticks per second. */
function childCpu() {
  const stat = readFileSync('/proc/self/stat', 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13]) + Number(fields[14])) * 10;
}

/** A wrapper on the PATH that logs when the program started and ended. */
function link({ bin, program, log }) {
  mkdirSync(bin, { recursive: true });
  const file = join(bin, 'codex');
  writeFileSync(
    file,
    `#!/bin/sh\n[ "$1" = exec ] || exec '${program}' "$@"\nstart=$(date +%s%N)\n'${program}' "$@"\ncode=$?\necho "$start $(date +%s%N)" >> '${log}'\nexit $code\n`,
  );
  chmodSync(file, 0o755);
  return log;
}

/** On its own thread, because the measuring code blocks the event loop. */
function startModelBeside() {
  const turns = [
    { shell: 'echo "$RALPH_ITEM" > "work/$RALPH_ITEM.txt"' },
    { say: 'Wrote the file.\n\n<promise>COMPLETE</promise>' },
  ];
  const source = `
    const { parentPort, workerData } = require('node:worker_threads');
    import(workerData.server).then(({ startModel }) => startModel({ turns: workerData.turns })).then(({ url }) => parentPort.postMessage(url));
  `;
  const server = new URL('../test/support/model-server.mjs', import.meta.url).href;
  const worker = new Worker(source, { eval: true, workerData: { server, turns } });
  return new Promise((resolve, reject) => {
    worker.once('error', reject);
    worker.once('message', url => resolve({ url, close: () => worker.terminate() }));
  });
}
