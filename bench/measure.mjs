/** Clean environments, timed processes, and statistics. */
import { spawnSync } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';

/** Only what a program needs: NODE_OPTIONS or NODE_EXTRA_CA_CERTS alone would change every start of node. */
export const cleanEnv = home => ({
  PATH: process.env.PATH ?? '/usr/local/bin:/usr/bin:/bin',
  HOME: home,
  TMPDIR: process.env.TMPDIR ?? '/tmp',
  LC_ALL: 'C',
  GIT_CONFIG_NOSYSTEM: '1',
  // Only one section measures the sandbox; the others run without one.
  RALPH_SANDBOX: 'none',
});

export const median = values => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
};

export const mean = values => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Runs to the end with its output in a file; throws on an unexpected exit code. */
export function must(argv, { cwd, env, log, input, expect = 0 }) {
  const out = log === undefined ? 'pipe' : openSync(log, 'a');
  const result = spawnSync(argv[0], argv.slice(1), { cwd, env, input, stdio: ['pipe', out, out], maxBuffer: 2 ** 26 });
  if (typeof out === 'number') closeSync(out);
  if (result.error) throw result.error;
  if (result.status !== expect) {
    const said = log === undefined ? `${result.stdout}${result.stderr}` : readFileSync(log, 'utf8').slice(-2000);
    throw new Error(`${argv.join(' ')} left with ${result.status ?? result.signal}: ${said}`);
  }
  return result.stdout?.toString() ?? '';
}

/** Wall and CPU milliseconds of one run; measured by bash, because node does not know its children's CPU. */
export function time(argv, { cwd, env }) {
  const script = 'TIMEFORMAT="%3R %3U %3S"; time "$@" >/dev/null 2>&1';
  const result = spawnSync('bash', ['-c', script, 'bash', ...argv], { cwd, env });
  const [wall, user, system] = result.stderr.toString().trim().split(/\s+/).map(Number);
  return { wall: wall * 1000, cpu: (user + system) * 1000 };
}

/** Runs several commands alternately, so that a busy moment of the machine affects all of them; the first is the reference. */
export function compare(commands, { rounds }) {
  const taken = commands.map(() => []);
  for (let round = 0; round < rounds + 1; round++) {
    commands.forEach(({ argv, cwd, env }, index) => {
      const one = time(argv, { cwd, env });
      // The first round only warms the disk cache.
      if (round > 0) taken[index].push(one);
    });
  }
  return taken.map(runs => ({
    wall: median(runs.map(run => run.wall)),
    wallMin: Math.min(...runs.map(run => run.wall)),
    cpu: median(runs.map(run => run.cpu)),
    cpuMin: Math.min(...runs.map(run => run.cpu)),
  }));
}
