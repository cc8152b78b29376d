/** The cost of a long history: a start and a brief with 1,000 archived runs and 10,000 lessons, compared with one run. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compare, must } from './measure.mjs';
import { makeProject } from './project.mjs';
import { writeOldRuns, writePast } from './remembered.mjs';

const PASTS = { one: { lessons: 10, runs: 1 }, many: { lessons: 10_000, runs: 1000 } };
const ms = value => `${value.toFixed(1)} ms`;

export function recall(bench, { rounds }) {
  const { env, cli } = bench;
  const places = Object.entries(PASTS).map(([name, past]) => {
    const folder = join(bench.folder, `past-${name}`);
    const log = join(bench.folder, `past-${name}.log`);
    makeProject(folder, { items: rounds + 4, agent: [bench.agent.program, log, 'each'], env });
    writePast(folder, past);
    // The first run reads everything and leaves the indexes that all later ones use.
    iterate(bench, folder);
    writeOldRuns(folder, past.runs);
    iterate(bench, folder);
    return { folder, log };
  });
  const [one, many] = places;
  const briefs = compare(
    [one, many].map(({ folder }) => ({ argv: [process.execPath, cli, 'brief'], cwd: folder, env })),
    { rounds },
  );
  const bytes = places.map(({ folder }) =>
    Buffer.byteLength(must([process.execPath, cli, 'brief'], { cwd: folder, env })),
  );
  const starts = { one: [], many: [] };
  for (let round = 0; round < rounds; round++) {
    starts.one.push(toAgent(bench, one));
    starts.many.push(toAgent(bench, many));
  }
  // The minimum of all rounds, and for the brief its CPU time: a few milliseconds are lost in the noise of the machine.
  const [toOne, toMany] = [Math.min(...starts.one), Math.min(...starts.many)];
  const [briefOne, briefMany] = briefs.map(({ cpuMin }) => cpuMin);
  const { lessons, runs } = PASTS.many;
  const past = `${lessons} lessons and ${runs} archived runs`;
  return [
    {
      what: `brief with ${past}`,
      ours: `${bytes[1]} B`,
      against: `${PASTS.one.lessons} lessons and 1 run ${bytes[0]} B`,
      ratio: bytes[1] / bytes[0],
      target: 1.1,
    },
    {
      what: `\`ralph brief\`: start-up and recall with ${past}`,
      ours: `cpu ${ms(briefMany)}`,
      against: `1 run, cpu ${ms(briefOne)}`,
      ratio: briefMany / briefOne,
      extraMs: briefMany - briefOne,
      mostMs: 50,
    },
    {
      what: `\`ralph run\` to its agent with ${past}`,
      ours: ms(toMany),
      against: `1 run ${ms(toOne)}`,
      ratio: toMany / toOne,
      extraMs: toMany - toOne,
      mostMs: 50,
    },
  ];
}

const iterate = ({ cli, env }, folder) =>
  must([process.execPath, cli, 'run', '--max-iterations', '1'], { cwd: folder, env, log: `${folder}.out`, expect: 1 });

function toAgent(bench, { folder, log }) {
  const began = bench.agent.now();
  iterate(bench, folder);
  const [last] = readFileSync(log, 'utf8').trim().split('\n').at(-1).split(' ');
  return Number(BigInt(last) - began) / 1e6;
}
