/** Repositories of several sizes: the cost of an iteration with many files, many ignored files or many refs. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bashLoopIn, ralphLoopIn } from './loops.mjs';
import { median, must } from './measure.mjs';
import { makeProject } from './project.mjs';

const CPU_TARGET = 1.5;
const GAP_TARGET = 1.25;

const KINDS = [
  { what: '1,000 files', files: 1_000, short: true },
  { what: '10,000 files', files: 10_000 },
  { what: '50,000 files', files: 50_000, most: 100 },
  { what: '1,000 files, 30,000 ignored', files: 1_000, ignored: 30_000 },
  { what: '10,000 files, 30,000 ignored', files: 10_000, ignored: 30_000 },
  { what: '1,000 files, 150,000 ignored', files: 1_000, ignored: 150_000 },
  { what: '1,000 files, 3,000 refs', files: 1_000, refs: 3_000 },
  { what: '1,000 files, 10 submodules of 200', files: 1_000, submodules: { count: 10, files: 200 } },
];

/** CPU and gap of an iteration with an agent of 200 ms and a gate `true`, for ralph and the two shell loops. */
export function repositories(bench, { wide: { items, repeats, kinds }, rows = '' }) {
  return KINDS.filter(kind => (kinds === 'all' || kind.short) && kind.what.includes(rows)).flatMap(kind =>
    rowsOf(bench, kind, { items, repeats }),
  );
}

function rowsOf(bench, kind, { items, repeats }) {
  process.stderr.write(`bench:   ${kind.what}\n`);
  const folder = join(bench.folder, `wide-${kind.what.replaceAll(/[^0-9a-z]+/g, '-')}`);
  makeWide(folder, kind, { items, env: bench.env });
  const taken = { bare: [], synced: [], ours: [] };
  const one = { bench, folder, items, worksMs: 200, gate: 'true' };
  for (let round = 0; round < repeats; round++) {
    taken.bare.push(inOrder(one, () => bashLoopIn({ ...one, name: `${kind.what}-bare-${round}` })));
    taken.synced.push(inOrder(one, () => bashLoopIn({ ...one, name: `${kind.what}-synced-${round}`, durable: true })));
    taken.ours.push(inOrder(one, () => ralphLoopIn({ ...one, name: `${kind.what}-ralph-${round}` })));
  }
  rmSync(folder, { recursive: true, force: true });
  const of = (name, key) => median(taken[name].map(run => run[key]));
  const ms = value => `${value.toFixed(0)} ms`;
  return [
    {
      what: `CPU per iteration, ${kind.what}, gate \`true\`, agent of 200 ms`,
      ours: ms(of('ours', 'cpu')),
      against: `bash loop ${ms(of('bare', 'cpu'))}; synced ${ms(of('synced', 'cpu'))}`,
      ratio: of('ours', 'cpu') / of('bare', 'cpu'),
      target: CPU_TARGET,
    },
    {
      what: `gap per iteration, ${kind.what}, gate \`true\`, agent of 200 ms`,
      ours: `${ms(of('ours', 'gap'))}, peak ${of('ours', 'peak').toFixed(0)} MB`,
      against: `synced bash loop ${ms(of('synced', 'gap'))}; bash loop ${ms(of('bare', 'gap'))} (${(of('ours', 'gap') / of('bare', 'gap')).toFixed(2)}×)`,
      ratio: of('ours', 'gap') / of('synced', 'gap'),
      target: GAP_TARGET,
      ...(kind.most === undefined ? {} : { megabytes: of('ours', 'peak'), most: kind.most }),
    },
  ];
}

/** One repository for all loops: each starts at the same commit, with the same files in the same folders. */
function inOrder({ folder, bench: { env } }, loop) {
  const git = (...args) => must(['git', ...args], { cwd: folder, env });
  rmSync(join(folder, '.ralph'), { recursive: true, force: true });
  git('checkout', '-qf', '-B', 'bench', 'main');
  git('clean', '-fdq');
  git('status');
  spawnSync('sync');
  return loop();
}

function makeWide(folder, { files, ignored = 0, refs = 0, submodules }, { items, env }) {
  mkdirSync(folder, { recursive: true });
  fill(join(folder, 'src'), files, { bytes: 600 });
  fill(join(folder, 'node_modules'), ignored, { bytes: 40 });
  writeFileSync(join(folder, '.gitignore'), 'node_modules/\n.ralph/\narchives/\n');
  makeProject(folder, { items, agent: ['true'], env, gates: ['true'] });
  if (submodules) addSubmodules(folder, submodules, env);
  if (refs === 0) return;
  const tip = must(['git', 'rev-parse', 'HEAD'], { cwd: folder, env }).trim();
  const lines = Array.from({ length: refs }, (_, n) => `create refs/tags/v${n} ${tip}\n`).join('');
  execFileSync('git', ['update-ref', '--stdin'], { cwd: folder, env, input: lines });
}

/** The same library under several names, each its own checkout. */
function addSubmodules(folder, { count, files }, env) {
  const library = `${folder}-library`;
  fill(join(library, 'lib'), files, { bytes: 600 });
  const git = (cwd, ...args) => must(['git', ...args], { cwd, env });
  const who = ['-c', 'user.name=Bench', '-c', 'user.email=bench@localhost'];
  git(library, 'init', '-q', '-b', 'main');
  git(library, 'add', '-A');
  git(library, ...who, 'commit', '-qm', 'Library');
  for (let n = 0; n < count; n++)
    git(folder, '-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', library, `vendor/lib${n}`);
  git(folder, 'commit', '-qm', 'Add libraries');
  git(folder, 'branch', '-f', 'main');
}

const PER_FOLDER = 25;

function fill(folder, count, { bytes }) {
  for (let n = 0; n < count; n++) {
    const place = join(folder, `p${Math.floor(n / PER_FOLDER / 20)}`, `q${Math.floor(n / PER_FOLDER) % 20}`);
    if (n % PER_FOLDER === 0) mkdirSync(place, { recursive: true });
    writeFileSync(join(place, `file${n}.ts`), `export const value${n} = ${n};\n// ${'x'.repeat(bytes)}\n`);
  }
}
