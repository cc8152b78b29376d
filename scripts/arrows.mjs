/** Imports point one way. This is the picture in ARCHITECTURE.md as a check. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';

const base = ['util', 'protocol', 'events', 'state'];
const rooms = [
  'agents',
  'audit',
  'brief',
  'config',
  'evidence',
  'journal',
  'memory',
  'plan',
  'process',
  'report',
  'retry',
  'sandbox',
  'workspace',
];

/** What each part of src may import, besides itself. */
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
  // A session of its own, beside the loop and without it.
  planning: [...base, 'agents', 'brief', 'config', 'journal', 'plan', 'process', 'sandbox', 'workspace'],
  loop: [...base, ...rooms],
  start: [...base, ...rooms, 'loop'],
  run: [...base, ...rooms, 'loop', 'start'],
  demo: [...base, 'journal', 'process', 'report', 'workspace'],
  // A repository made ready; what it cannot find out is asked by the command.
  init: ['util', 'protocol', 'config', 'plan'],
  schemas: ['config', 'plan', 'report'],
  cli: [...base, ...rooms, 'loop', 'start', 'run', 'demo', 'init', 'planning'],
  index: [...base, ...rooms, 'loop', 'start', 'run'],
};

/** Rooms with one door: whoever is outside imports that file and no other. */
const doors = { audit: join('src', 'audit', 'index.ts') };

const partOf = path => path.split(sep)[0].replace(/\.ts$/, '');

const wrong = [];
for (const entry of readdirSync('src', { recursive: true, withFileTypes: true })) {
  if (!entry.isFile() || !entry.name.endsWith('.ts')) continue;
  const file = join(entry.parentPath, entry.name);
  const from = partOf(relative('src', file));
  for (const [, target] of readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)) {
    const path = join(dirname(file), target);
    const to = partOf(relative('src', path));
    if (to === from) continue;
    if (!(allowed[from] ?? []).includes(to)) wrong.push(`${file}: ${from} must not import ${to} (${target})`);
    else if (doors[to] !== undefined && path !== doors[to])
      wrong.push(`${file}: imports ${target}; import ${doors[to]} instead`);
  }
}
if (wrong.length > 0) {
  console.error(wrong.join('\n'));
  process.exit(1);
}
