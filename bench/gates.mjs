/** A slow test suite, in a run whose items touch nothing that the suite depends on. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { wholeRun } from './loops.mjs';
import { median } from './measure.mjs';

const ITEMS = 10;
const SUITE_SECONDS = 0.5;

/** Changes outside `paths` cannot make the suite red: with `paths` it runs once, before the first item. */
export function gates(bench, { repeats }) {
  const known = [];
  const always = [];
  for (let round = 0; round < Math.min(repeats, 3); round++) {
    known.push(suiteRun(bench, `paths-${round}`, { paths: ['src/**', 'test/**'] }));
    always.push(suiteRun(bench, `no-paths-${round}`, {}));
  }
  const wall = runs => median(runs.map(run => run.wall));
  const [ours, theirs] = [wall(known), wall(always)];
  return [
    {
      what: `a run of ${ITEMS} items that touch no code, with a suite of ${SUITE_SECONDS} s that says what it depends on`,
      ours: shown(known[0].suites, ours),
      against: `without \`paths\`: ${shown(always[0].suites, theirs)}`,
      ratio: ours / theirs,
      target: 0.5,
    },
  ];
}

const shown = (suites, wall) => `${suites} ${suites === 1 ? 'suite' : 'suites'}, ${(wall / 1000).toFixed(1)} s`;

function suiteRun(bench, name, settings) {
  const log = join(bench.folder, `${name}.suites`);
  const agent = [bench.agent.program, join(bench.folder, `${name}.log`), 'each'];
  const suite = { name: 'suite', run: `echo ran >> '${log}' && sleep ${SUITE_SECONDS}`, ...settings };
  const { wall } = wholeRun({ bench, name, items: ITEMS, agent, gates: [suite] });
  const suites = readFileSync(log, 'utf8').trim().split('\n').length;
  const wanted = settings.paths ? 1 : ITEMS + 1;
  if (suites !== wanted) throw new Error(`${name}: the suite ran ${suites} times, not ${wanted}`);
  return { wall, suites };
}
