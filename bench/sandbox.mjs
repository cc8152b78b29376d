/** The cost of sandboxing agents and gates, as a ratio to the same without a sandbox. */
import { spawnSync } from 'node:child_process';
import { ralphLoop } from './loops.mjs';
import { compare, median } from './measure.mjs';

const ms = value => `${value.toFixed(1)} ms`;

const BWRAP = ['bwrap', '--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--tmpfs', '/tmp', '--unshare-pid'];
const ALONE = [...BWRAP, '--unshare-ipc', '--unshare-uts', '--die-with-parent', '--cap-drop', 'ALL', '--', '/bin/true'];

export function sandbox(bench, { slow: { items, repeats } }) {
  const { env } = bench;
  const tried = spawnSync(ALONE[0], ALONE.slice(1), { env });
  if (tried.status !== 0) {
    const why = tried.error?.message ?? tried.stderr.toString().trim();
    return [{ what: `sandbox: NOT MEASURED (${why})`, ours: '-', against: '-' }];
  }
  const runs = { inside: [], without: [] };
  for (let round = 0; round < repeats; round++) {
    const one = { bench, items, mode: 'each', worksMs: 200, gates: ['true'] };
    runs.inside.push(ralphLoop({ ...one, name: `inside-${round}`, tier: 'bwrap' }));
    runs.without.push(ralphLoop({ ...one, name: `without-${round}` }));
  }
  const of = (name, key) => median(runs[name].map(run => run[key]));
  const row = (what, key) => ({
    what: `${what} in bubblewrap, agent of 200 ms, one gate \`true\`, ${items} items (median)`,
    ours: ms(of('inside', key)),
    against: `without ${ms(of('without', key))}`,
    ratio: of('inside', key) / of('without', key),
  });
  const [inside, without] = compare(
    [
      { argv: ALONE, cwd: '/', env },
      { argv: ['/bin/true'], cwd: '/', env },
    ],
    { rounds: 20 },
  );
  return [
    row('wall time per iteration', 'step'),
    row('overhead per iteration', 'gap'),
    {
      what: 'start of a program in bubblewrap, nothing else (median)',
      ours: ms(inside.wall),
      against: `without ${ms(without.wall)}`,
      ratio: inside.wall / without.wall,
    },
  ];
}
