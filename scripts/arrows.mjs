/**
 * Rooms have doors, and imports point one way. This is the picture in ARCHITECTURE.md as a check, of this repository or of the
 * one whose root is given.
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
/** What a run does to a tree before its first item as well as after it. */
const shared = ['agent-process', 'checks', 'custody', 'trackers'];

/** What each part of src may import, besides itself; types count. */
const allowed = {
  util: [],
  protocol: ['util'],
  events: ['util', 'protocol'],
  state: ['util', 'protocol', 'events'],
  ...Object.fromEntries(rooms.map(room => [room, base])),
  // What is judged by running something is read by the same eyes.
  evidence: [...base, 'audit'],
  // git is a program, and process/ is the only place that starts one.
  workspace: [...base, 'process'],
  // One process of an agent, whoever asked for it.
  'agent-process': [...base, 'agents', 'process', 'sandbox'],
  checks: [...base, 'audit', 'config', 'evidence', 'journal', 'process', 'sandbox', 'workspace'],
  custody: [...base, 'config', 'journal', 'memory', 'plan', 'process', 'workspace'],
  // gh and glab are programs, and a tracker's issues are a plan.
  trackers: [...base, 'plan', 'process'],
  // A session of its own, beside the loop and without it.
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
  // Watches a run as a terminal does; the loop does not know it.
  notify: [...base, 'audit', 'config', 'process', 'report'],
  loop: [...base, ...rooms, ...shared],
  start: [...base, ...rooms, ...shared],
  run: [...base, ...rooms, ...shared, 'loop', 'start', 'notify'],
  // What is done with a run that is over.
  morning: [...base, ...rooms, ...shared, 'loop', 'start'],
  // What people look at, as data: it reads what all others have written, and nobody of them knows it.
  view: [...base, ...rooms, 'start', 'morning'],
  serve: [...base, 'audit', 'journal', 'process', 'report', 'start', 'view'],
  // The built page, and a report made of it.
  page: [...base, 'audit', 'view'],
  demo: [...base, 'journal', 'process', 'report', 'workspace'],
  // A repository made ready; what it cannot find out is asked by the command.
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

/** What only some files may do, and the words by which it is seen. */
const kept = [
  // The scripted agent, the bridge and the way to the proxy are programs of their own; they run where agents run.
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
/** `src/loop.ts` is the door of `src/loop/`; a room without such a file has an index. The files of util are leaves, each its own door. */
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

/** Files that import each other, however far around: Tarjan's strongly connected components. */
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
/** Loaded with whoever imports a part of it: `import()` of such a door does not load late what it names, but all of its room at once. */
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
// The page knows what it shows, as types, and nothing else of the program; and the program knows only the built page.
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
