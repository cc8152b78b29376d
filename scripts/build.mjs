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
 * Every module that one of these entries loads, with the names of those that do: what a bundle of them has, because what a door
 * names and nobody asks for is not among it, and what each of these imports past no door.
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

/** Packages that most commands never meet. A chunk is loaded with whatever may need it; these only when they are needed. */
const APART = ['yaml', 'picomatch'];
const apart = {
  name: 'apart',
  resolveId: id => (APART.includes(id) ? { id: `./${id}.cjs`, external: true } : null),
};
/** The form of the package that has modules: of its other one, which node is offered, a bundle takes all or nothing. */
const asModules = {
  name: 'as-modules',
  resolveId: id =>
    id === 'yaml' ? { id: resolve('node_modules/yaml/browser/index.js'), moduleSideEffects: false } : null,
};
const inParts = { format: 'cjs', entryFileNames: '[name].cjs', dynamicImportInCjs: false };
/** Names of functions stay, for whoever reads a stack trace. */
const small = {
  minify: { compress: true, mangle: { toplevel: true, keepNames: { function: true, class: true } }, codegen: true },
  comments: false,
};

// Commands that are called often, or that somebody waits for: each small file takes node as long to load as twenty kilobytes
// of a large one. What the same of these load is one file; `status`, which has the least to do, loads one in all.
const COMMON = ['status', 'items', 'logs', 'mark', 'brief', 'report', 'run'];
const loaded = await loadedBy(Object.fromEntries(COMMON.map(name => [name, `src/cli/${name}.ts`])));
const groupOf = id => {
  const names = loaded.get(id);
  if (names === undefined) return null;
  const late = LATE.find(([, parts]) => parts.test(id.replaceAll('\\', '/')));
  if (late) return late[0];
  if (names.has('status')) return 'look';
  const all = COMMON.filter(name => names.has(name)).join('-');
  // What logs shares with others is little, but for the agents' streams, which runs read too.
  return all.startsWith('logs-') && all !== 'logs-run' ? 'logs-more' : all;
};

/**
 * What these commands hold and most calls of them never come to, in files that are loaded when something of them is called
 * (`late-imports`): plans in another format than the plan's own, a memory where there is one, a sandbox, gates, a terminal; and what
 * follows after an agent has started. A run loads all of it while its first one works (`loop/afterwards`). Whoever changes this looks at `test/package/loaded.test.ts`.
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
 * Whoever works for hours loads all of it at once: later a newer version may have taken its place on the disk. A run does so while
 * its first agent works.
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

/** What is in the bundle, for the licences. */
const modules = new Set();

rmSync('dist', { recursive: true, force: true });

// CommonJS: an empty ES module takes node half as long again to load as an empty script does, and each further one is
// read, linked and waited for; that is most of what `ralph --help` and `ralph status` would cost.
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
// Started by its path, with a copy of the little that it needs.
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

/** The library is the code of the program, under the names that a module of today exports. */
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
