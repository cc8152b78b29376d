/**
 * Checks the import rules of ARCHITECTURE.md: imports point one way and go through the doors of rooms. It checks this
 * repository, or the one whose root is given.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';

const base = ['util', 'protocol', 'events', 'state'];
const rooms = [
  'agents',
  'audit',
  'brief',
  'config',
  'evidence',
  'journal',
  'mcp',
  'memory',
  'plan',
  'process',
  'report',
  'retry',
  'sandbox',
  'traces',
  'workspace',
];
/** Rooms that a run needs before its first item as well as after it. */
const shared = ['agent-process', 'checks', 'custody', 'trackers'];

/** What each part of src may import besides itself; type imports count. */
const allowed = {
  util: [],
  protocol: ['util'],
  events: ['util', 'protocol'],
  state: ['util', 'protocol', 'events'],
  ...Object.fromEntries(rooms.map(room => [room, base])),
  // Evidence reads test output and diffs with the same code as the guards.
  evidence: [...base, 'audit'],
  // git is a program, and process/ is the only place that starts one.
  workspace: [...base, 'process'],
  // One process of an agent, whoever starts it.
  'agent-process': [...base, 'agents', 'process', 'sandbox'],
  checks: [...base, 'audit', 'config', 'evidence', 'journal', 'process', 'sandbox', 'workspace'],
  custody: [...base, 'config', 'journal', 'memory', 'plan', 'process', 'workspace'],
  // gh and glab are programs, and a tracker's issues are a plan.
  trackers: [...base, 'plan', 'process'],
  // A separate agent session, without the loop.
  planning: [
    ...base,
    'agent-process',
    'agents',
    'brief',
    'config',
    'custody',
    'journal',
    'plan',
    'process',
    'sandbox',
    'workspace',
  ],
  // Watches a run as a terminal does; the loop does not depend on it.
  notify: [...base, 'audit', 'config', 'process', 'report'],
  loop: [...base, ...rooms, ...shared],
  start: [...base, ...rooms, ...shared],
  run: [...base, ...rooms, ...shared, 'loop', 'start', 'notify'],
  // What is done with a finished run.
  morning: [...base, ...rooms, ...shared, 'loop', 'start'],
  // Data for the page and the report: it reads what all other rooms have written, and none of them depends on it.
  view: [...base, ...rooms, 'start', 'morning'],
  serve: [...base, 'audit', 'journal', 'process', 'report', 'start', 'view'],
  // The built page, and the report made from it.
  page: [...base, 'audit', 'view'],
  demo: [...base, 'journal', 'process', 'report', 'workspace'],
  // Sets up a repository; the command asks for what it cannot detect.
  init: ['util', 'protocol', 'config', 'plan'],
  schemas: ['config', 'plan', 'report'],
  cli: [
    ...base,
    ...rooms,
    ...shared,
    'loop',
    'start',
    'run',
    'demo',
    'init',
    'morning',
    'notify',
    'planning',
    'serve',
    'view',
    'page',
  ],
  index: [...base, ...rooms, 'loop', 'start', 'run'],
};

/** What only some files may do, and the pattern that detects it. */
const kept = [
  // The scripted agent, the bridge and the proxy client are programs of their own that run where agents run.
  {
    what: 'start programs',
    words: /\bchild_process\b/,
    by: /^(process\/|agents\/(script-steps|acp-bridge)\.ts$|sandbox\/proxy-inside\.ts$)/,
  },
  { what: 'call git', words: /\[\s*'git'/, by: /^(workspace\/|start\/escape-scene\.ts$)/ },
  { what: 'wait for the disk', words: /(?<!core\.)\bf(data)?sync(Sync)?\b/, by: /^util\/(files|flush)\.ts$/ },
];

const root = process.argv[2] ?? '.';
const src = join(root, 'src');
const paths = readdirSync(src, { recursive: true, withFileTypes: true })
  .filter(entry => entry.isFile() && entry.name.endsWith('.ts'))
  .map(entry => relative(src, join(entry.parentPath, entry.name)).split(sep).join('/'));
const files = new Map(paths.map(path => [path, readFileSync(join(src, path), 'utf8')]));

const partOf = path => path.split('/')[0].replace(/\.ts$/, '');
/** `src/loop.ts` is the door of `src/loop/`; a room without such a file has an index. Each file of util is its own door. */
const doorOf = part => (files.has(`${part}.ts`) ? `${part}.ts` : `${part}/index.ts`);
const isOpen = path => partOf(path) === 'util' || path === doorOf(partOf(path));

const importsOf = path =>
  [...files.get(path).matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'(\.[^']+)'/g)].map(([, target]) =>
    join(dirname(path), target).split(sep).join('/'),
  );

/** Why a file must not import another one. */
function wrongImport(from, to) {
  const [part, other] = [partOf(from), partOf(to)];
  if (part === other) return to === doorOf(part) ? 'is inside, and goes through its own door to' : undefined;
  if (!(part in allowed)) return 'is in no part that scripts/arrows.mjs knows, and imports';
  if (!allowed[part].includes(other)) return `is in ${part}, which must not know`;
  return isOpen(to) ? undefined : `goes past the door src/${doorOf(other)} to`;
}

/** Import cycles of any length: Tarjan's strongly connected components. */
function cycles() {
  const found = [];
  const [number, lowest, stack] = [new Map(), new Map(), []];
  const visit = path => {
    number.set(path, number.size);
    lowest.set(path, number.get(path));
    stack.push(path);
    for (const next of importsOf(path).filter(target => files.has(target))) {
      if (!number.has(next)) visit(next);
      if (stack.includes(next)) lowest.set(path, Math.min(lowest.get(path), lowest.get(next)));
    }
    if (lowest.get(path) !== number.get(path)) return;
    const group = stack.splice(stack.indexOf(path));
    if (group.length > 1 || importsOf(path).includes(path)) found.push(group);
  };
  for (const path of files.keys()) if (!number.has(path)) visit(path);
  return found;
}

const targetsIn = (path, pattern) =>
  [...files.get(path).matchAll(pattern)].map(([, target]) => join(dirname(path), target).split(sep).join('/'));
/** Doors that are also imported statically: an `import()` of such a door is not lazy, because it loads the whole room at once. */
const loadedEarly = new Set(paths.flatMap(path => targetsIn(path, /\bimport (?!type\b)[^;()]*?from '(\.[^']+)'/g)));

const wrong = [];
for (const [path, text] of files) {
  for (const to of targetsIn(path, /(?<!typeof )\bimport\('(\.[^']+)'\)/g)) {
    if (to === doorOf(partOf(to)) && loadedEarly.has(to))
      wrong.push(`src/${path} loads all of src/${to} by import(): name the parts of it in a file, and import() that`);
  }
  for (const to of importsOf(path)) {
    const why = wrongImport(path, to);
    if (why) wrong.push(`src/${path} ${why} src/${to}`);
  }
  for (const { what, words, by } of kept) {
    if (words.test(text) && !by.test(path)) wrong.push(`src/${path} must not ${what} (${words.exec(text)[0]})`);
  }
}
// The page may import only types of the views, and the program knows only the built page.
const pages = join(root, 'web');
const ofPage = existsSync(pages) ? readdirSync(pages, { recursive: true }).filter(name => /\.tsx?$/.test(name)) : [];
for (const name of ofPage) {
  const text = readFileSync(join(pages, name), 'utf8');
  for (const [whole, kind = '', target] of text.matchAll(/import( type)?[^;]*? from '([^']*\/src\/[^']+)'/g)) {
    if (kind === '' || !/\/src\/(?:view\/index|protocol)\.ts$/.test(target))
      wrong.push(`web/${name} must import types of src/view and src/protocol only (${whole.replace(/\s+/g, ' ')})`);
  }
}
for (const group of cycles()) wrong.push(`these import each other: ${group.map(path => `src/${path}`).join(', ')}`);

if (wrong.length > 0) {
  console.error(wrong.join('\n'));
  process.exit(1);
}
