/**
 * Measures what the runner itself costs, compared with a bare shell loop and bare node, in one run on one machine. Ratios
 * count; milliseconds depend on the machine.
 *
 *   node bench/bench.mjs [--ci | --full] [--only <section>] [--rows <words of a repository>] [--long <items>] [--cli <path of another build's cli.cjs>]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { codex } from './codex.mjs';
import { gates } from './gates.mjs';
import { guards } from './guards.mjs';
import { cleanEnv } from './measure.mjs';
import { page } from './page.mjs';
import { parallel } from './parallel.mjs';
import { buildAgent } from './project.mjs';
import { recall } from './recall.mjs';
import { repositories } from './repositories.mjs';
import { sandbox } from './sandbox.mjs';
import { durable, growth, memory, overhead, plans, startUp, stream } from './sections.mjs';
import { describeMachine, failures, showTable } from './table.mjs';

const { values: flags } = parseArgs({
  options: {
    ci: { type: 'boolean', default: false },
    full: { type: 'boolean', default: false },
    only: { type: 'string' },
    rows: { type: 'string' },
    long: { type: 'string' },
    cli: { type: 'string', default: fileURLToPath(new URL('../dist/cli.cjs', import.meta.url)) },
  },
});

const SIZES = {
  ci: {
    items: 40,
    repeats: 2,
    slow: { items: 8, repeats: 1 },
    wide: { items: 6, repeats: 1, kinds: 'short' },
    rounds: 4,
    long: 0,
    outputBytes: 256 * 2 ** 20,
    streamBytes: 64 * 2 ** 20,
    slack: 5,
    // Milliseconds depend on the machine, which may be busy: only ratios and memory decide.
    msSlack: Number.POSITIVE_INFINITY,
  },
  normal: {
    items: 200,
    repeats: 5,
    slow: { items: 40, repeats: 3 },
    wide: { items: 12, repeats: 1, kinds: 'all' },
    rounds: 20,
    long: 0,
    outputBytes: 256 * 2 ** 20,
    streamBytes: 500 * 2 ** 20,
    slack: 1,
  },
  full: {
    items: 200,
    repeats: 5,
    slow: { items: 40, repeats: 5 },
    wide: { items: 20, repeats: 3, kinds: 'all' },
    rounds: 20,
    long: 1000,
    outputBytes: 2 * 2 ** 30,
    streamBytes: 500 * 2 ** 20,
    slack: 1,
  },
};
const named = flags.ci ? SIZES.ci : flags.full ? SIZES.full : SIZES.normal;
const size = flags.long === undefined ? named : { ...named, long: Number(flags.long) };

const folder = mkdtempSync(join(tmpdir(), 'ralph-bench-'));
const home = mkdtempSync(join(folder, 'home-'));
const env = cleanEnv(home);
const bench = { folder, env, cli: resolve(flags.cli), agent: buildAgent(folder, env) };

/** CI has only minutes: sections with a long set-up are left to `npm run bench`. */
const IN_CI = ['overhead', 'durable', 'growth', 'startUp', 'memory', 'stream', 'plans'];
const sections = {
  overhead,
  sandbox,
  codex,
  durable,
  growth,
  startUp,
  recall,
  memory,
  stream,
  plans,
  guards,
  gates,
  repositories,
  parallel,
  page,
};
const rows = [];
try {
  for (const [name, section] of Object.entries(sections)) {
    if (flags.only === undefined ? flags.ci && !IN_CI.includes(name) : flags.only !== name) continue;
    process.stderr.write(`bench: ${name}\n`);
    rows.push(...(await section(bench, { ...size, rows: flags.rows })));
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

process.stdout.write(`${describeMachine(bench, size)}\n\n${showTable(rows)}\n`);
const missed = failures(rows, size);
for (const line of missed) process.stderr.write(`bench: ${line}\n`);
process.exitCode = missed.length > 0 ? 1 : 0;
