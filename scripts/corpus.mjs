/**
 * Takes every file of a folder through: parse, write unchanged, mark the next item done, parse again.
 * Usage: npm run corpus -- <folder> [--quiet]. Exits with 1 on a crash, a silently empty plan, or an unexpected byte change.
 * A file `observed-next.tsv` in the folder says which item an author's loop really took next.
 */
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative, sep } from 'node:path';
import { checkEcosystems, hasEcosystems } from './corpus-ecosystems.mjs';

// A dynamic import, so that the linter's result does not depend on whether there is a build.
const program = await import(new URL('../dist/index.js', import.meta.url).href);
const { markPlan, openPlan, pickNext, reparse } = program;

const [folder, ...flags] = process.argv.slice(2);
if (!folder) {
  console.error('Usage: npm run corpus -- <folder>');
  process.exit(2);
}
const quiet = flags.includes('--quiet');
const status = item => item.status;

/** Whole repositories of other tools, with their own manifest. */
const ECOSYSTEMS = join(folder, 'ecosystems');
const rows = filesUnder(folder)
  .filter(file => !file.startsWith(ECOSYSTEMS + sep))
  .map(file => ({ file: relative(folder, file), ...tryOne(file) }));
const width = Math.min(90, Math.max(...rows.map(row => row.file.length)));
for (const { file, kind, outcome, detail, next } of rows) {
  if (!quiet) console.log(`${file.padEnd(width)}  ${kind.padEnd(10)} ${outcome.padEnd(8)} ${next || detail}`);
}
const count = outcome => rows.filter(row => row.outcome === outcome).length;
const observed = checkObserved();
console.log(
  `\n${rows.length} files: ${count('ok')} ok, ${count('refused')} refused with a reason, ${count('notes')} no plans, ${count('changed')} changed unasked, ${count('empty')} silently empty, ${count('crash')} crashed`,
);
if (observed)
  console.log(
    `next item: ${observed.match} of ${observed.total} as observed, where file order, priority and readiness agree`,
  );
const others = hasEcosystems(ECOSYSTEMS) ? checkEcosystems(ECOSYSTEMS, program) : undefined;
if (others) console.log(others.lines.filter(line => !quiet || /DIFFERS|plans of/.test(line)).join('\n'));
process.exit(count('crash') + count('empty') + count('changed') + (others?.differ ?? 0) > 0 ? 1 : 0);

function tryOne(file) {
  const kind = basename(dirname(file));
  if (isNoPlan(file) || kind === 'notes') return { kind, outcome: 'notes', detail: '', next: '' };
  const top = mkdtempSync(join(tmpdir(), 'ralph-corpus-'));
  try {
    const plan = openPlan(layOut(file, top), { at: Date.UTC(2026, 0, 1) });
    if (!plan.ok) return { kind, outcome: 'refused', detail: place(plan.error), next: '' };
    return roundTrip(kind, plan.value);
  } catch (error) {
    return {
      kind,
      outcome: 'crash',
      detail: String(error?.stack ?? error)
        .split('\n')
        .slice(0, 2)
        .join(' '),
      next: '',
    };
  } finally {
    rmSync(top, { recursive: true, force: true });
  }
}

/** Reports, notes and workflows belong to a plan, but are not plans. */
function isNoPlan(file) {
  return /RALPH_NOTES|RALPH_REPORT|progress\.txt|shared-context|_workflows_[^_]+\.yaml/.test(basename(file));
}

function roundTrip(kind, open) {
  const { plan } = open;
  const error = plan.problems.find(problem => problem.level === 'error');
  if (error) return { kind, outcome: 'refused', detail: place(error), next: '' };
  if (plan.items.length === 0) return { kind, outcome: 'empty', detail: 'no items and no error', next: '' };
  const again = reparse(open, open.bytes);
  if (!again.ok || !again.value.bytes.equals(open.bytes))
    return { kind, outcome: 'changed', detail: 'an unchanged write differs', next: '' };
  const { next } = pickNext({ items: plan.items, status });
  if (!next) return { kind, outcome: 'ok', detail: 'nothing left', next: '' };
  const marked = markPlan(open, { id: next.id, to: 'done', at: Date.UTC(2026, 0, 1) });
  if (!marked.ok)
    return { kind, outcome: 'changed', detail: `cannot mark ${next.id}: ${marked.error.message}`, next: '' };
  const after = reparse(open, marked.value.bytes);
  const done = after.ok && after.value.plan.items.find(item => item.id === next.id)?.status === 'done';
  const others =
    after.ok &&
    plan.items.every(
      item => item.id === next.id || after.value.plan.items.find(other => other.id === item.id)?.status === item.status,
    );
  const lines = changedLines(open.bytes, marked.value.bytes);
  if (!done && !plan.repeats)
    return { kind, outcome: 'changed', detail: `${next.id} does not read back as done`, next: '' };
  if (!others) return { kind, outcome: 'changed', detail: `marking ${next.id} changed another item`, next: '' };
  if (lines > 12) return { kind, outcome: 'changed', detail: `marking ${next.id} changed ${lines} lines`, next: '' };
  return { kind, outcome: 'ok', detail: '', next: `${next.id}: ${next.title}`.slice(0, 80), item: next };
}

/** Files may be stored as owner__repo__path; formats depend on the last part of the name and on neighbouring files. */
function layOut(file, top) {
  const name = basename(file).replace(/@[0-9a-f]{8}$/, '');
  const last = name.split('__').slice(2).join('__').split('_').pop() || name;
  const bare = /\.(json|md|txt|yaml|yml)$/.test(last) ? last : name;
  const put = (from, ...to) => {
    const target = join(top, ...to);
    mkdirSync(dirname(target), { recursive: true });
    copyFileSync(from, target);
    return target;
  };
  if (/^group-\d+\.md$/.test(bare)) return dirname(dirname(put(file, 'docs', 'ralph', 'prompts', bare)));
  if (bare !== 'SPRINT.yaml') return put(file, bare);
  const owner = basename(file).split('__').slice(0, 2).join('__');
  for (const other of filesUnder(dirname(file))) {
    const workflow = basename(other).match(/_workflows_([^_]+\.yaml)$/)?.[1];
    if (workflow && basename(other).startsWith(owner)) put(other, 'workflows', workflow);
  }
  return put(file, 'sprint', bare);
}

function changedLines(before, after) {
  const [a, b] = [before, after].map(bytes => bytes.toString('latin1').split('\n'));
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1;
  const middle = b.slice(start, b.length - end);
  const old = new Set(a.slice(start, a.length - end));
  return middle.filter(line => !old.has(line)).length;
}

function checkObserved() {
  let table;
  try {
    table = readFileSync(join(folder, 'observed-next.tsv'), 'utf8')
      .trim()
      .split('\n')
      .slice(1)
      .map(line => line.split('\t'));
  } catch {
    return undefined;
  }
  const agreeing = table.filter(
    ([, , , , first, lowest, ready]) => first && (!lowest || lowest === first) && (!ready || ready === first),
  );
  const normal = text =>
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim();
  const matches = agreeing.filter(([file, , , , first]) => {
    const row = rows.find(candidate => candidate.file === file);
    const said = row?.item ? [row.item.id, row.item.title, `${row.item.id} ${row.item.title}`].map(normal) : [];
    const ok = said.some(
      text => text && (text.startsWith(normal(first)) || normal(first).startsWith(text) || text === normal(first)),
    );
    if (!ok && !quiet) console.log(`  next differs in ${file}: observed "${first}", picked "${row?.next ?? ''}"`);
    return ok;
  });
  return { match: matches.length, total: agreeing.length };
}

function place({ line, column, message }) {
  return line ? `${line}:${column}: ${message}` : message;
}

function filesUnder(root) {
  return readdirSync(root, { recursive: true })
    .map(name => join(root, name))
    .filter(file => statSync(file).isFile() && !/^(README\.md|.*\.tsv)$/.test(basename(file)))
    .toSorted();
}
