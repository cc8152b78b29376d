/** What guards cost in addition to git, on changes that `ralph audit` looks at. */
import { hostile, ownCode, prices, repositoryOf } from './changes.mjs';
import { compare, must } from './measure.mjs';

const RANGE = 'HEAD^..HEAD';

export function guards(bench, { rounds }) {
  const { env, folder, cli } = bench;
  const make = (name, change) => ({ name, cwd: repositoryOf(change, { folder, env, name: `guards-${name}` }) });
  const none = make('10', prices(10));
  const some = make('10000', prices(10_000));
  const own = make('own', ownCode(10_000));
  const many = make('100000', prices(100_000));
  const [bad, worse] = [2000, 4000].map(lines => make(`hostile-${lines}`, hostile(lines)));
  const audit = ({ cwd }) => ({ argv: [process.execPath, cli, 'audit', RANGE, '--json'], cwd, env });
  const diff = ({ cwd }) => ({ argv: ['git', 'diff', RANGE], cwd, env });
  const [gitNone, start, gitSome, ours, gitOwn, ownCost] = compare(
    [diff(none), audit(none), diff(some), audit(some), diff(own), audit(own)],
    { rounds: Math.min(4 * rounds, 20) },
  );
  const [large] = compare([audit(many)], { rounds: 1 });
  const [once, twice] = compare([audit(bad), audit(worse)], { rounds: 2 });
  const changed = ({ cwd }) => must(['git', 'diff', '--shortstat', RANGE], { cwd, env }).trim();
  // The minimum CPU time, because other programs can only add to it. Starting the program and git is not the guards' work, so
  // it is subtracted.
  const without = ({ cpuMin }) => cpuMin - start.cpuMin;
  const row = (what, whole, git, limit) => {
    const milliseconds = without(whole) - (git.cpuMin - gitNone.cpuMin);
    return {
      what: `CPU of guards on ${what}: \`ralph audit\` without its start and \`git diff\``,
      ours: `${milliseconds.toFixed(0)} ms`,
      against: `all of it ${whole.cpuMin.toFixed(0)} ms, an audit of 10 lines ${start.cpuMin.toFixed(0)} ms, git diff ${git.cpuMin.toFixed(0)} ms`,
      ...(limit !== undefined && { milliseconds, mostMs: limit }),
    };
  };
  return [
    row(`tests and code of four languages (${changed(some)})`, ours, gitSome, 300),
    row(`this project's own code (${changed(own)})`, ownCost, gitOwn),
    {
      what: 'CPU of guards on 100,000 lines against 10,000, without the start',
      ours: `${without(large).toFixed(0)} ms`,
      against: `10,000 lines ${without(ours).toFixed(0)} ms`,
      ratio: without(large) / without(ours),
      target: 15,
    },
    {
      what: `CPU of guards on files made to keep them busy, twice the lines (${changed(worse)})`,
      ours: `${without(twice).toFixed(0)} ms`,
      against: `half of them ${without(once).toFixed(0)} ms`,
      ratio: without(twice) / without(once),
      target: 3,
    },
  ];
}
