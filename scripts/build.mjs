/** Bundles the program and the library into dist/: one chunk per command, so that each loads only what it uses. */
import { chmodSync, copyFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { rolldown } from 'rolldown';
import { ascii } from './ascii.mjs';
import { buildPage } from './build-page.mjs';
import { bundleOptions } from './bundle-options.mjs';
import { lateImports } from './late-imports.mjs';
import { thirdPartyLicenses } from './licenses.mjs';
import { inLines } from './lines.mjs';
import { plainExports } from './plain-exports.mjs';

/**
 * Every module that one of these entries loads, with the names of those entries: the modules of a real bundle, so that unused
 * exports of a door do not count, and what those modules import directly, not through a door.
 */
async function loadedBy(input) {
  const imports = new Map();
  const graph = { name: 'graph', moduleParsed: ({ id, importedIds }) => void imports.set(id, importedIds) };
  const bundle = await rolldown({ ...bundleOptions, input, plugins: [apart, graph] });
  const { output } = await bundle.generate(inParts);
  await bundle.close();
  const chunks = new Map(output.map(chunk => [chunk.fileName, chunk]));
  const found = new Map();
  for (const entry of output.filter(({ isEntry }) => isEntry)) {
    const addModule = id => {
      const names = found.get(id) ?? new Set();
      found.set(id, names);
      if (names.has(entry.name)) return;
      names.add(entry.name);
      for (const imported of imports.get(id) ?? []) if (!isDoor(imported)) addModule(imported);
    };
    const seen = new Set();
    const addChunk = chunk => {
      if (seen.has(chunk)) return;
      seen.add(chunk);
      chunk.moduleIds.forEach(addModule);
      for (const name of chunk.imports) if (chunks.has(name)) addChunk(chunks.get(name));
    };
    addChunk(entry);
  }
  return found;
}

const isDoor = id => /[\\/]src[\\/](?:\w+[\\/]index|\w+)\.ts$/.test(id);

/** Packages that most commands never need. A shared chunk is always loaded; these are loaded on demand. */
const APART = ['yaml', 'picomatch'];
const apart = {
  name: 'apart',
  resolveId: id => (APART.includes(id) ? { id: `./${id}.cjs`, external: true } : null),
};
/** The ES module form of the package, which can be tree-shaken; the CommonJS form that node prefers cannot. */
const asModules = {
  name: 'as-modules',
  resolveId: id =>
    id === 'yaml' ? { id: resolve('node_modules/yaml/browser/index.js'), moduleSideEffects: false } : null,
};
const inParts = { format: 'cjs', entryFileNames: '[name].cjs', dynamicImportInCjs: false };
/** Function names are kept, for stack traces. */
const small = {
  minify: { compress: true, mangle: { toplevel: true, keepNames: { function: true, class: true } }, codegen: true },
  comments: false,
};

// Commands that are called often or whose speed matters: loading a small file takes node as long as twenty more kilobytes of
// a large one. Modules that the same commands load share one file; `status`, which does the least, loads a single file.
const COMMON = ['status', 'items', 'logs', 'mark', 'brief', 'report', 'run'];
const loaded = await loadedBy(Object.fromEntries(COMMON.map(name => [name, `src/cli/${name}.ts`])));
const groupOf = id => {
  const names = loaded.get(id);
  if (names === undefined) return null;
  const late = LATE.find(([, parts]) => parts.test(id.replaceAll('\\', '/')));
  if (late) return late[0];
  if (names.has('status')) return 'look';
  const all = COMMON.filter(name => names.has(name)).join('-');
  // Apart from the agents' streams, which runs also read, logs shares little with others.
  return all.startsWith('logs-') && all !== 'logs-run' ? 'logs-more' : all;
};

/**
 * Code of these commands that most calls never reach, in chunks that are loaded on first use (`late-imports`): other plan
 * formats, memory, sandbox, gates, terminal, and what follows after an agent has started. A run loads all of it while its
 * first agent works (`loop/afterwards`). After a change here, see `test/package/loaded.test.ts`.
 */
const LATE = Object.entries({
  'late-markdown': ['plan/(checklist-|front-matter|half-written|markdown|missing-documents|plain-commands|task-text)'],
  'late-formats': [
    'plan/(sprint/|groups-|tracker/(copy|links))',
    'plan/ecosystems/(backlog-|beads-|front-matter|kiro-|lines|outline|strays|task-master-)',
  ],
  'late-agents': ['agents/(acp|acp-quirks|claude|codex|command|effort|known|pi|presets|script)\\.'],
  'late-streams': [
    'agents/(acp|claude|codex|command|pi)-(error-class|events|failure|items|log-errors|stream|text|tools|trouble|usage)',
    'agents/(failures|json-lines|reset-time|tool-|unknown-events)',
  ],
  'late-memory': [
    'memory/(failures|figures|learnings-text|lesson|lessons-file|notes|recall|run-record|summary|synonyms|track-record)\\.',
  ],
  'late-live': ['report/(live|live-block|live-worker|recent-steps)\\.'],
  'late-sandbox': [
    'sandbox/(bwrap|docker|environment|escapes|gateway|git-mounts|hosts|paths|places|policies|seatbelt)\\.',
  ],
  'late-gates': ['checks/', 'config/gate-env', 'evidence/(results/|gates)', 'process/(ps-table|sweep)\\.'],
  'late-run': [
    'agents/(claims|lessons|prices|reviews)\\.',
    'audit/(config-values|dependencies|secrets)',
    'evidence/(accepted|verdict)',
    'journal/pack-iterations',
    'loop/(add-fix|commit-memory|commit-plan|foreign-work|fresh-checkout|mark-by-person|plan-then|trouble|wait-until)',
    'plan/compare',
    'retry/wait',
    'run/(done-before|end-run|push)\\.',
    'workspace/(borrowed-history|carry|contents|diff|furnish|linked-commit|make-commit|merging|move-branch)\\.',
    'workspace/(pack-index|pack-loose|push|refs-back|repacked|settle|worker-checkouts)\\.',
  ],
}).map(([name, parts]) => [name, new RegExp(`src/(${parts.join('|')})`)]);

/**
 * Long-running commands load everything at once, because a newer version may replace the files on disk later. A run does so
 * while its first agent works.
 */
const LASTING = /src[\\/](?:loop[\\/]afterwards|cli[\\/](?:mcp|merge|plan|replay|serve|try-agent|watch))\.ts$/;
const nothingLate = {
  name: 'nothing-late',
  renderChunk(code, { facadeModuleId }, _options, { chunks }) {
    if (!LASTING.test(facadeModuleId ?? '')) return null;
    const late = Object.keys(chunks).filter(name => name.startsWith('cli/late-'));
    return late.map(name => `require("./${name.slice('cli/'.length)}");\n`).join('') + code;
  },
};

/** The modules in the bundle, for the licences. */
const modules = new Set();

rmSync('dist', { recursive: true, force: true });

// CommonJS, because an empty ES module takes node half as long again to load as an empty script, and every further one has to
// be read, linked and awaited: for `ralph --help` and `ralph status` that would be most of the time.
const program = await write(
  { cli: 'src/cli.ts', library: 'src/index.ts' },
  {
    ...inParts,
    chunkFileNames: 'cli/[name]-[hash].cjs',
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [{ name: groupOf, debugName: 'common' }],
    },
  },
  [apart, nothingLate],
);
// Started by path, so it has its own copy of the little code that it needs.
await write({ 'script-agent': 'src/agents/script-agent.ts' }, { ...inParts, dir: 'dist/cli' }, [apart]);
await write({ 'acp-bridge': 'src/agents/acp-bridge.ts' }, { ...inParts, dir: 'dist/cli' });
copyFileSync('src/agents/qwen-defaults.json', 'dist/cli/qwen-defaults.json');
await write({ 'proxy-inside': 'src/sandbox/proxy-inside.ts' }, { ...inParts, dir: 'dist/cli' });
await write({ picomatch: 'picomatch' }, { ...inParts, dir: 'dist/cli' });
await write({ yaml: 'scripts/yaml-part.mjs' }, { ...inParts, dir: 'dist/cli' }, [asModules]);

for (const id of await buildPage()) modules.add(id);

writeFileSync('dist/index.js', moduleOf(program.find(({ fileName }) => fileName === 'library.cjs')));
chmodSync('dist/cli.cjs', 0o755);
writeFileSync('THIRD-PARTY-LICENSES', thirdPartyLicenses(modules));

/** An ES module that re-exports the names of the CommonJS library. */
function moduleOf({ exports }) {
  const lines = exports.toSorted().map(name => `export const ${name} = library.${name};\n`);
  return `import library from './library.cjs';\n\n${lines.join('')}`;
}

async function write(input, output, plugins = []) {
  const bundle = await rolldown({ ...bundleOptions, input, plugins: [...plugins, lateImports] });
  const dir = output.dir ?? 'dist';
  const made = await bundle.write({ dir, ...small, ...output });
  for (const { fileName, code, moduleIds = [] } of made.output) {
    writeFileSync(join(dir, fileName), inLines(ascii(plainExports(code))));
    for (const id of moduleIds) modules.add(id);
  }
  await bundle.close();
  return made.output;
}
