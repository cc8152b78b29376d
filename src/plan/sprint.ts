/** Sprints: SPRINT.yaml and workflows, compiled to a PROGRESS.yaml that holds the state. */

import { basename, dirname, join } from 'node:path';
import type { NewItem, PlanDocument, PlanFiles, PlanFormat, Problem } from '../protocol.ts';
import { isOpen } from '../state.ts';
import { once } from '../util/once.ts';
import { type Failure, fail, ok, type Result } from '../util/result.ts';
import { plain, plural } from '../util/show.ts';
import { allowProblem } from './allow.ts';
import { type TextReading, textDocument } from './document.ts';
import { applyEdits, type Edit } from './edit.ts';
import { aboutIn } from './front-matter.ts';
import { firstError, inOrder, lazyPlan, wholePlan } from './lazy-plan.ts';
import { refuseNew, unknownItem } from './named-item.ts';
import { type Compiled, compile } from './sprint/compile.ts';
import { allowOf, itemsOf, liftsAny } from './sprint/items.ts';
import { leftOut } from './sprint/left-out.ts';
import { addedEdits, beginEdits, markEdits } from './sprint/mark.ts';
import { isSeq } from './sprint/nodes.ts';
import { type MarkedLeaf, type Outline, outlineOf, spotAt } from './sprint/outline.ts';
import { type Leaf, type Progress, readProgress } from './sprint/progress.ts';
import { statusOf } from './sprint/status.ts';
import { workflowsFor } from './sprint/workflows.ts';
import { keysOf, nodeOf, plainOf, readYaml, startOf, wordOf } from './sprint/yaml.ts';
import { addEntry } from './sprint/yaml-edit.ts';
import { unreadablePlan } from './unreadable-plan.ts';

/** The format of a sprint folder. */
export const sprint: PlanFormat = { name: 'sprint', find, parse, create };

const SPRINT = 'SPRINT.yaml';
const PROGRESS = 'PROGRESS.yaml';
/** Where a sprint folder keeps the context that every phase needs. */
const CONTEXT = ['context/_shared-context.md', '_shared-context.md'];

function find(path: string, files: PlanFiles): string | undefined {
  if (files.isFolder(path)) {
    const names = files.list(path);
    return names.includes(PROGRESS) || names.includes(SPRINT) ? join(path, PROGRESS) : undefined;
  }
  const name = basename(path);
  if (name.endsWith(PROGRESS)) return path;
  return name.endsWith(SPRINT) ? path.slice(0, -SPRINT.length) + PROGRESS : undefined;
}

/** The SPRINT.yaml beside a PROGRESS.yaml. */
const sprintFileOf = (path: string): string => path.slice(0, -PROGRESS.length) + SPRINT;

/** Compiles a sprint from its folder, whatever its state. */
export function compileFolder(path: string, files: PlanFiles, at: number): Result<Compiled> {
  const file = sprintFileOf(path);
  const text = files.read(file);
  if (text === undefined) {
    return fail<Failure>({ reason: 'sprint-missing', message: `there is no ${SPRINT} to compile`, file });
  }
  const workflows = workflowsFor(dirname(path), files);
  return compile({
    sprint: text,
    sprintPath: file,
    readWorkflow: name => workflows.read(name),
    workflowNames: workflows.names,
    at,
  });
}

function create(path: string, files: PlanFiles, at: number): Result<string> {
  const compiled = compileFolder(path, files, at);
  return compiled.ok ? ok(compiled.value.text) : compiled;
}

function parse(text: string, path: string, files: PlanFiles): PlanDocument {
  // These files are read together with the state, so that they match it.
  const source = files.read(sprintFileOf(path)) ?? '';
  const context = CONTEXT.map(name => files.read(join(dirname(path), name))?.trim()).find(Boolean) ?? '';
  const beside = { source, context, yaml: once(() => readYaml(source)) };
  return textDocument(text, state => readingOf(state, path, beside));
}

/** What SPRINT.yaml and the shared context say. */
interface Beside {
  readonly source: string;
  readonly context: string;
  readonly yaml: () => ReturnType<typeof readYaml>;
}

function readingOf(text: string, path: string, beside: Beside): TextReading {
  const told = { format: 'sprint', path, repeats: false } as const;
  const folder = basename(dirname(path)) || basename(path);
  const read = readProgress(text);
  if (!read.ok) {
    const refused = () => fail(unreadablePlan(read.error));
    const plan = wholePlan({ ...told, name: folder, items: [], problems: [read.error], instructions: '' });
    return { plan, mark: refused, append: refused, begin: refused };
  }
  const progress = read.value;
  const { yaml, leaves } = progress;
  const outline = once(() => outlineOf(progress));
  const plan = lazyPlan(
    { ...told, error: firstError([...progress.problems, ...liftedWrongly(progress)]) },
    {
      name: () => wordOf(yaml.root, 'sprint-id') || folder,
      ids: () => leaves.map(({ id }) => id),
      items: () => itemsOf(progress),
      problems: () => problemsIn(progress, beside.source),
      instructions: () => [goalOf(progress, beside), beside.context].filter(Boolean).join('\n\n'),
      about: () => {
        const source = beside.yaml();
        // The goal is already among the instructions.
        return source.ok ? aboutIn(source.value.root, ['goal', 'goals']) : '';
      },
    },
  );
  return {
    plan,
    mark: mark => edited(progress, outline(), { id: mark.id, edits: leaf => markEdits(outline(), leaf, mark) }),
    begin: begin => edited(progress, outline(), { id: begin.id, edits: leaf => beginEdits(outline(), leaf, begin) }),
    append: item => appended(progress, item),
  };
}

const problemsIn = (progress: Progress, source: string): readonly Problem[] =>
  inOrder([
    ...progress.problems,
    ...oddities(progress),
    ...sideBySide(progress),
    ...leftOut(progress, source),
    ...liftedWrongly(progress),
  ]);

/** Errors for `allow` entries that name no guard. */
function liftedWrongly({ yaml, leaves }: Progress): readonly Problem[] {
  // Cheap test: if the key is nowhere in the text, not even with escapes, no phase has it.
  if (!yaml.text.includes('allow') && !yaml.text.includes('\\')) return [];
  return leaves.flatMap((leaf): readonly Problem[] => {
    if (!liftsAny(leaf)) return [];
    const wrong = allowOf(leaf)
      .map(allowProblem)
      .find(problem => problem !== undefined);
    if (wrong === undefined) return [];
    const own = [leaf, ...leaf.groups.toReversed()].find(({ map }) => nodeOf(map, 'allow'))?.map ?? leaf.map;
    return [{ level: 'error', ...yaml.place(startOf(nodeOf(own, 'allow'))), message: `${leaf.id}: ${wrong}` }];
  });
}

/** Warns about contradictions, and says which side decides. */
function oddities({ yaml, leaves }: Progress): readonly Problem[] {
  const open = leaves.filter(leaf => isOpen(leaf.status)).length;
  if (open === 0 || statusOf(wordOf(yaml.root, 'status')) !== 'done') return [];
  const message = `the sprint is marked ${wordOf(yaml.root, 'status')}, but ${open} of its phases are open; they decide`;
  return [{ level: 'warning', ...yaml.place(startOf(nodeOf(yaml.root, 'status'))), message }];
}

/** Warns about phases that another tool would run in parallel. */
function sideBySide({ yaml, leaves }: Progress): readonly Problem[] {
  if (!yaml.text.includes('parallel')) return [];
  const marked = [...new Set(leaves.flatMap(leaf => [leaf, ...leaf.groups]).map(({ map }) => map))].filter(
    map => wordOf(map, 'parallel') === 'true',
  );
  const [first] = marked;
  if (!first) return [];
  const message = `parallel: true is kept but not followed (${plural(marked.length, 'place')}): the phases run one after the other`;
  return [{ level: 'warning', ...yaml.place(startOf(nodeOf(first, 'parallel'))), message }];
}

/** The goal of the sprint, from SPRINT.yaml or else from the state file. */
function goalOf({ yaml }: Progress, beside: Beside): string {
  const source = beside.yaml();
  const roots = [...(source.ok ? [source.value.root] : []), yaml.root];
  const goals = roots.flatMap(root =>
    keysOf(root)
      .filter(key => key === 'goal' || key === 'goals')
      .flatMap(key => {
        const node = nodeOf(root, key);
        const words: unknown[] = isSeq(node)
          ? (plainOf(node) as unknown[]).map(each => `- ${String(each)}`)
          : [plainOf(node)];
        return words.filter(each => typeof each === 'string').join('\n');
      }),
  );
  return goals.map(goal => goal.trim()).find(Boolean) ?? '';
}

interface LeafEdits {
  readonly id: string;
  readonly edits: (leaf: MarkedLeaf) => readonly Edit[];
}

function edited({ yaml, leaves }: Progress, outline: Outline, { id, edits }: LeafEdits): Result<string> {
  const index = leaves.findIndex(each => each.id === id);
  const leaf = leaves[index];
  const spot = leaf && spotAt(outline.parts, index);
  if (leaf && spot) return ok(applyEdits(yaml.text, edits({ spot, map: leaf.map, groups: leaf.groups })));
  const known = leaves.map(each => each.id);
  return fail(unknownItem(id, known));
}

/** Adds a phase at the end. */
function appended({ yaml, leaves }: Progress, item: NewItem): Result<string> {
  const { text } = yaml;
  const refused = refuseNew(leaves, item);
  if (refused) return fail(refused);
  const list = ['phases', 'dynamic-steps', 'queue'].map(key => nodeOf(yaml.root, key)).find(isSeq);
  if (!list) return fail<Failure>({ reason: 'cannot-append', message: 'the sprint has no list of phases' });
  const criteria = item.criteria.map(criterion => `- ${criterion}`).join('\n');
  const prompt = [plain(item.title), plain(item.body), plain(criteria)]
    .map(part => part.trim())
    .filter(Boolean)
    .join('\n\n');
  const lines = [
    `id: ${JSON.stringify(item.id)}`,
    'status: pending',
    'prompt: |-',
    ...prompt.split(/\r?\n/).map(line => line && `  ${line}`),
  ];
  const flow = `{ id: ${JSON.stringify(item.id)}, status: pending, prompt: ${JSON.stringify(prompt)} }`;
  const added = applyEdits(text, addEntry(text, list, lines, flow));
  const now = readProgress(added);
  if (!now.ok || !now.value.leaves.some(leaf => leaf.id === item.id)) {
    return fail<Failure>({ reason: 'cannot-append', message: 'a phase cannot be added to this layout' });
  }
  return ok(applyEdits(added, addedEdits(outlineOf(now.value))));
}

/** Counts the phases, steps and sub-phases of a PROGRESS.yaml. */
export function compiledShape(text: string): {
  readonly phases: number;
  readonly steps: number;
  readonly subPhases: number;
} {
  const progress = readProgress(text);
  const { leaves, groups } = progress.ok ? progress.value : { leaves: [], groups: [] };
  const leavesOf = (kind: Leaf['kind']) => leaves.filter(leaf => leaf.kind === kind).length;
  const groupsOf = (kind: 'phase' | 'step') => groups.filter(group => group.kind === kind).length;
  return {
    phases: groupsOf('phase') + leavesOf('phase'),
    steps: groupsOf('step') + leavesOf('step'),
    subPhases: leavesOf('sub-phase'),
  };
}
