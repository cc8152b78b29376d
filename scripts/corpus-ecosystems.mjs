/**
 * Checks plans of other tools against a manifest that says, by each tool's own rules, how many items a plan has, how many
 * are done and which is next. Each repository is copied, its plan opened and its next item marked; only the bytes of the
 * mark may change. Returns the lines to print and the number of plans that differ.
 */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const KINDS = new Set([
  'spec-kit',
  'kiro',
  'openspec',
  'task-master',
  'backlog',
  'beads',
  'ralphex',
  'huntley',
  'todo',
]);

export function checkEcosystems(folder, program) {
  const rows = readFileSync(join(folder, 'manifest.tsv'), 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map(line => line.split('\t'))
    .filter(([kind, , , , , , items]) => KINDS.has(kind) && items !== '-');
  const lines = [];
  let differ = 0;
  for (const [kind, repo, path, , , , items, done, next] of rows) {
    const wrong = tryRow({ kind, repo, path, items, done, next }, folder, program);
    if (wrong.length > 0) differ += 1;
    lines.push(`${kind.padEnd(12)} ${repo.padEnd(36)} ${wrong.length > 0 ? `DIFFERS ${wrong.join('; ')}` : 'ok'}`);
  }
  lines.push(`\n${rows.length} plans of other tools: ${rows.length - differ} as their manifest says, ${differ} differ`);
  return { lines, differ };
}

function tryRow(row, folder, program) {
  const top = mkdtempSync(join(tmpdir(), 'ralph-corpus-'));
  try {
    cpSync(join(folder, row.kind, row.repo.replace('/', '+')), top, { recursive: true });
    mkdirSync(join(top, '.git'), { recursive: true });
    return compare(row, top, program);
  } catch (error) {
    return [
      `crashed: ${String(error?.stack ?? error)
        .split('\n')
        .slice(0, 3)
        .join(' ')}`,
    ];
  } finally {
    rmSync(top, { recursive: true, force: true });
  }
}

function compare(row, top, { openPlan, pickNext, markPlan, reparse, markedFiles }) {
  const open = openPlan(join(top, row.path), { at: Date.UTC(2026, 0, 1) });
  const want = wanted(row, top);
  if (want.refused) {
    const error = open.ok ? open.value.plan.error : open.error;
    return error ? [] : [`read as a plan of ${open.value.plan.items.length} items; it has no task by its tool's rules`];
  }
  if (!open.ok) return [`not opened: ${open.error.message}`];
  const { plan } = open.value;
  if (plan.error) return [`error ${plan.error.line}: ${plan.error.message}`];
  const wrong = [];
  const differs = (what, is, should) => {
    if (should !== undefined && is !== should) wrong.push(`${what} is ${is}, should be ${should}`);
  };
  differs('format', plan.format, want.format);
  differs('items', plan.items.length, want.items);
  differs('done', plan.items.filter(({ status }) => status === 'done').length, want.done);
  if (want.boxes) wrong.push(...boxesWrong(plan, want.boxes, open.value.bytes));
  differs('ready', readyIn(plan.items), want.ready);
  const { next } = pickNext({ items: plan.items, status: item => item.status });
  differs('next line', next?.line, want.line);
  differs('next', next?.id, want.id);
  if (next) wrong.push(...markWrong({ open: open.value, next, want, markPlan, reparse, markedFiles }));
  return wrong;
}

/** Every box of the file must be an item, a criterion of one, or reported as unknown; an item is done if its box is ticked. */
function boxesWrong(plan, { count, done }, bytes) {
  const lines = bytes.toString('utf8').split('\n');
  const boxes = new Map(lines.flatMap((line, n) => (BOX.test(line) ? [[n + 1, BOX.exec(line)[1]]] : [])));
  const ticked = mark => mark === 'x' || mark === 'X';
  const wrong = [];
  if (boxes.size !== count) wrong.push(`${boxes.size} boxes, should be ${count}`);
  const ticks = [...boxes.values()].filter(ticked).length;
  if (ticks !== done) wrong.push(`${ticks} ticked boxes, should be ${done}`);
  const points = plan.items.reduce((sum, { criteria }) => sum + criteria.length, 0);
  const unknown = plan.problems.filter(({ message }) => message.includes('is not a known box')).length;
  const read = plan.items.length + points + unknown;
  if (read !== count) wrong.push(`${read} of ${count} boxes are read or named`);
  const odd = plan.items.find(({ line, status }) => ticked(boxes.get(line)) !== (status === 'done'));
  if (odd) wrong.push(`${odd.id} reads as ${odd.status}, its box is [${boxes.get(odd.line)}]`);
  return wrong;
}

const BOX = /^\s*(?:[-*+]|\d+[.)])\s+\[(.)\]\s/;

/** The items that could be started now. */
function readyIn(items) {
  const over = new Set(items.filter(({ status }) => status === 'done').map(({ id }) => id));
  const open = items.filter(({ status }) => status === 'pending' || status === 'in-progress');
  return open.filter(({ dependsOn }) => dependsOn.every(id => over.has(id))).length;
}

/** Checks a mark: the item is done, every other is unchanged, and only a few bytes differ. */
function markWrong({ open, next, want, markPlan, reparse, markedFiles }) {
  const mark = { id: next.id, to: 'done', at: Date.UTC(2026, 0, 1) };
  const files = markedFiles?.(open, mark);
  if (files && !files.ok) return [`cannot mark ${next.id}: ${files.error.message}`];
  const marked = markPlan(open, mark);
  if (!marked.ok) return [`cannot mark ${next.id}: ${marked.error.message}`];
  if (want.readOnly) return unmarkedWrong(open, marked.value.bytes);
  let changed = bytesChanged(open.bytes, marked.value.bytes);
  for (const { path, bytes } of files?.value ?? []) {
    changed += bytesChanged(readFileSync(path), bytes);
    writeFileSync(path, bytes);
  }
  const again = reparse(open, marked.value.bytes);
  const after = again.ok ? again.value.plan.items : [];
  const wrong = [];
  const status = id => after.find(item => item.id === id)?.status;
  if (status(next.id) !== 'done') wrong.push(`${next.id} reads back as ${status(next.id)}`);
  const others = open.plan.items.filter(item => item.id !== next.id && status(item.id) !== item.status);
  if (others.length > 0) wrong.push(`marking ${next.id} changed ${others[0].id}`);
  const limit = want.bytes ?? 3;
  if (changed === 0 || changed > limit) wrong.push(`marking ${next.id} changed ${changed} bytes`);
  return wrong;
}

/** A file that takes no marks must stay as it is, and the plan must say so. */
function unmarkedWrong({ plan, bytes }, after) {
  const wrong = plan.marks === 'journal' ? [] : ['the plan does not say that its marks are in the journal'];
  if (!Buffer.from(bytes).equals(Buffer.from(after))) wrong.push('a mark changed a file that takes none');
  return wrong;
}

/** Bytes between the first and the last difference, counted line by line. */
function bytesChanged(before, after) {
  const [a, b] = [before, after].map(bytes => bytes.toString('latin1').split('\n'));
  if (a.length !== b.length) return Math.abs(a.length - b.length) * 1000;
  let count = 0;
  for (const [n, line] of a.entries()) {
    const other = b[n];
    if (line === other) continue;
    let start = 0;
    while (start < line.length && line[start] === other[start]) start += 1;
    let end = 0;
    const most = Math.min(line.length, other.length) - start;
    while (end < most && line[line.length - 1 - end] === other[other.length - 1 - end]) end += 1;
    count += Math.max(line.length, other.length) - start - end;
  }
  return count;
}

const namesIn = folder => {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
};

const first = text => (/^\D*(\d+)/.exec(text) ? Number(/(\d+)/.exec(text)[1]) : undefined);
const readyOf = text => (/\(ready: (\d+)\)/.exec(text) ? Number(/\(ready: (\d+)\)/.exec(text)[1]) : undefined);
const lineIn = text => (/L(\d+)/.exec(text) ? Number(/L(\d+)/.exec(text)[1]) : undefined);

/** The expectations in a row of the manifest, as numbers. */
function wanted({ kind, path, items, done, next }, top) {
  const line = lineIn(next);
  switch (kind) {
    case 'spec-kit':
    case 'kiro':
      return { format: kind, items: first(items), done: first(done), line };
    case 'openspec':
      return first(items) === 0 ? { refused: true } : { format: kind, items: first(items), done: first(done), line };
    case 'ralphex':
      return {
        format: 'task-headings',
        items: first(items),
        done: first(done),
        line,
        bytes: 100,
        readOnly: line === undefined,
      };
    case 'huntley':
    case 'todo':
      // Boxes under a box are its criteria, so there may be fewer items than boxes.
      return first(items) === 0 ? { refused: true } : { line, boxes: { count: first(items), done: Number(done) } };
    case 'task-master': {
      const tasks = tasksOf(JSON.parse(readFileSync(join(top, path), 'utf8')), /\(tag ([^)]+)\)/.exec(items)?.[1]);
      const [doneTasks, doneParts] = done.split(' + ').map(Number);
      const closed = doneIn(tasks);
      if (closed.tasks !== doneTasks || closed.parts !== doneParts)
        throw new Error(`the file has ${closed.tasks} + ${closed.parts} done, its manifest says ${done}`);
      return { format: kind, items: closed.leaves, done: closed.doneLeaves, id: next.split(' ')[0], bytes: 40 };
    }
    case 'backlog': {
      // The manifest also counts documents among the completed tasks, whose names show that they are not tasks.
      const documents = new Set(
        namesIn(join(top, dirname(path), 'completed'))
          .filter(name => !/^task-/i.test(name))
          .map(name => name.split(' ')[0]),
      );
      const id = next.startsWith('(') ? undefined : next.split(' ')[0];
      return {
        format: kind,
        items: first(items) - documents.size,
        done: Number(done) - documents.size,
        id,
        // A task with a status that the project does not define is reported and left out.
        ready: less(readyOf(next), foreignIn(items, readFileSync(join(top, path), 'utf8'))),
        bytes: 400,
      };
    }
    case 'beads':
      return {
        format: kind,
        items: first(items),
        done: Number(done),
        id: /^(.*?) \[/.exec(next)?.[1],
        // An epic waits for its parts.
        ready: less(readyOf(next), openEpics(readFileSync(join(top, path), 'utf8'))),
        readOnly: true,
      };
    default:
      return {};
  }
}

const less = (count, fewer) => (count === undefined ? undefined : count - fewer);

/** How many tasks have a status that the project does not define. */
function foreignIn(items, config) {
  const own = /^statuses:\s*\[(.*)\]/m.exec(config)?.[1] ?? '';
  const counts = [...items.matchAll(/(?:'([^']+)'|"([^"]+)"): (\d+)/g)];
  return counts
    .filter(([, single, double]) => !(single ?? double).includes('/') && !own.includes(`"${single ?? double}"`))
    .reduce((sum, [, , , count]) => sum + Number(count), 0);
}

/** How many open epics have a part that is not closed. */
function openEpics(text) {
  const issues = text
    .split('\n')
    .filter(line => line.trim() !== '')
    .map(line => JSON.parse(line));
  const parents = issue => [
    ...(issue.dependencies ?? []).filter(({ type }) => type === 'parent-child').map(edge => edge.depends_on_id),
    ...(/\.\d+$/.test(issue.id) ? [issue.id.replace(/\.\d+$/, '')] : []),
  ];
  const waitedFor = new Set(issues.filter(({ status }) => status !== 'closed').flatMap(parents));
  return issues.filter(issue => issue.status === 'open' && issue.issue_type === 'epic' && waitedFor.has(issue.id))
    .length;
}

const tasksOf = (root, tag) => root.tasks ?? root[tag]?.tasks ?? [];

/** A subtask, or a task without subtasks, is a leaf. */
function doneIn(tasks) {
  const isDone = ({ status }) => status === 'done' || status === 'completed';
  const leaves = tasks.flatMap(task => (task.subtasks?.length > 0 ? task.subtasks.map(isDone) : [isDone(task)]));
  return {
    tasks: tasks.filter(isDone).length,
    parts: tasks.flatMap(({ subtasks }) => subtasks ?? []).filter(isDone).length,
    leaves: leaves.length,
    doneLeaves: leaves.filter(Boolean).length,
  };
}

export const hasEcosystems = folder => {
  try {
    readFileSync(join(folder, 'manifest.tsv'));
    return dirname(folder) !== '';
  } catch {
    return false;
  }
};
