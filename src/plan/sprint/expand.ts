/** Expands workflows over the items of a sprint: every phase and sub-phase gets its own, final prompt. */
import { type Failure, ok, type Result } from '../../util/result.ts';
import { nearest } from '../../util/suggest.ts';
import {
  failAt,
  type ItemSource,
  type PhaseSource,
  type SprintSource,
  singular,
  type WorkflowSource,
} from './source.ts';
import { fillTemplate, type Scope, variableAt } from './template.ts';
import { nodeOf } from './yaml.ts';

/** A phase in the shape of PROGRESS.yaml. */
export interface CompiledPhase {
  readonly id: string;
  readonly status: 'pending';
  readonly prompt?: string;
  readonly steps?: readonly CompiledStep[];
  readonly model?: string;
  readonly [extra: string]: unknown;
}

export interface CompiledStep {
  readonly id: string;
  readonly prompt: string;
  readonly status: 'pending';
  readonly model?: string;
  readonly allow?: unknown;
  readonly phases: readonly CompiledPhase[];
}

export interface Expansion {
  readonly sprint: SprintSource;
  readonly load: (name: string) => Result<WorkflowSource> | undefined;
  /** Names to suggest if a workflow is not found. */
  readonly workflowNames: readonly string[];
  /** First words of variables that refer to an item of a collection. */
  readonly items: ReadonlySet<string>;
  readonly scope: Scope;
  readonly used: Set<string>;
  readonly warnings: Failure[];
}

/** The context in which a phase is expanded. */
interface Spot {
  readonly scope: Scope;
  readonly prefix: string;
  /** Workflows that are being expanded, the outermost first. */
  readonly stack: readonly string[];
  /** The item's model, which overrides all others. */
  readonly itemModel: string;
  /** The model of the phase that refers to this workflow. */
  readonly phaseModel: string;
  readonly workflowModel: string;
  readonly level: 'sprint' | 'step';
}

export function expandWorkflow(at: Expansion, workflow: WorkflowSource): Result<readonly CompiledPhase[]> {
  return expandPhases(at, workflow, {
    scope: at.scope,
    prefix: '',
    stack: workflow.name === '' ? [] : [workflow.name],
    itemModel: '',
    phaseModel: '',
    workflowModel: workflow.model,
    level: 'sprint',
  });
}

function expandPhases(at: Expansion, workflow: WorkflowSource, spot: Spot): Result<readonly CompiledPhase[]> {
  const compiled: CompiledPhase[] = [];
  for (const [index, phase] of workflow.phases.entries()) {
    const id = `${spot.prefix}${phase.id}`;
    const inPhase = { ...spot, scope: { ...spot.scope, phase: { id, index } } };
    const next = expandPhase(at, { workflow, phase, id, spot: inPhase });
    if (!next.ok) return next;
    compiled.push(...next.value);
  }
  return ok(compiled);
}

interface PhaseHere {
  readonly workflow: WorkflowSource;
  readonly phase: PhaseSource;
  readonly id: string;
  readonly spot: Spot;
}

function expandPhase(at: Expansion, here: PhaseHere): Result<readonly CompiledPhase[]> {
  const { phase, id, spot } = here;
  if (phase.forEach !== '') return spot.level === 'sprint' ? expandSteps(at, here) : expandInStep(at, here);
  if (phase.workflow === '') {
    const simple = simplePhase(at, here);
    return simple.ok ? ok([simple.value]) : simple;
  }
  const inner = enter(at, here, phase.workflow);
  if (!inner.ok) return inner;
  return expandPhases(at, inner.value.workflow, { ...inner.value.spot, prefix: `${id}-` });
}

function simplePhase(at: Expansion, { workflow, phase, id, spot }: PhaseHere): Result<CompiledPhase> {
  const { scope } = spot;
  const filled = fillTemplate(phase.prompt, { scope, items: at.items });
  for (const { name, nth, near, needsItem } of filled.unknown) {
    const node = phase.promptNode;
    const { start = 0, end = 0 } = node ?? {};
    const within = variableAt(workflow.text.slice(start, end), nth);
    const failure = failAt(workflow, node, {
      message: needsItem
        ? `{{${name}}} has no value: the phase ${phase.id} is not for each ${singular(name.split('.')[0] ?? '')}`
        : `there is no variable {{${name}}}`,
      hint: near === undefined ? `Write \\{{${name}}} to keep it as it is.` : `Did you mean {{${near}}}?`,
      within,
    });
    if (!needsItem) return failure;
    if (!failure.ok) warnOnce(at, failure.error);
  }
  const { sprint } = at;
  const model =
    spot.itemModel || phase.model || spot.phaseModel || sprint.model || workflow.model || spot.workflowModel;
  return ok({
    id,
    status: 'pending',
    prompt: filled.text,
    ...(model ? { model } : {}),
    ...fillDeep(at, phase.extra, scope),
  });
}

/** Reports a warning once, although its workflow is expanded for many items. */
function warnOnce({ warnings }: Expansion, failure: Failure): void {
  const { file, line, column } = failure;
  const known = warnings.some(each => each.file === file && each.line === line && each.column === column);
  if (!known) warnings.push(failure);
}

function expandSteps(at: Expansion, here: PhaseHere): Result<readonly CompiledPhase[]> {
  const items = itemsFor(at, here);
  if (!items.ok) return items;
  const steps: CompiledStep[] = [];
  for (const [index, item] of items.value.entries()) {
    const phases = expandItem(at, here, { item, index });
    if (!phases.ok) return phases;
    const { id, prompt, model } = item;
    steps.push({
      id,
      prompt,
      status: 'pending',
      ...(model ? { model } : {}),
      ...liftedFor(item),
      phases: phases.value,
    });
  }
  const extra = fillDeep(at, here.phase.extra, here.spot.scope);
  return ok([{ id: here.id, status: 'pending', steps, ...extra }]);
}

/** Expands a phase inside a step. A step cannot contain steps, so they become sub-phases with longer ids. */
function expandInStep(at: Expansion, here: PhaseHere): Result<readonly CompiledPhase[]> {
  const { phase, id, spot } = here;
  const name = singular(phase.collection || phase.forEach);
  // The phase means the current item: so a workflow for a whole sprint also works for a single step.
  if (isAtHand(at, spot, name)) {
    if (phase.workflow === '') {
      const simple = simplePhase(at, { ...here, phase: { ...phase, prompt: phase.prompt || '{{item.prompt}}' } });
      return simple.ok ? ok([simple.value]) : simple;
    }
    const inner = enter(at, here, phase.workflow);
    return inner.ok ? expandPhases(at, inner.value.workflow, { ...inner.value.spot, prefix: `${id}-` }) : inner;
  }
  const items = itemsFor(at, here);
  if (!items.ok) return items;
  const all: CompiledPhase[] = [];
  for (const [index, item] of items.value.entries()) {
    const phases = expandItem(at, here, { item, index, prefix: `${id}-${item.id}-` });
    if (!phases.ok) return phases;
    all.push(...phases.value.map(inner => ({ ...inner, ...liftedFor(item) })));
  }
  return ok(all);
}

/** Whether a name means the current item. Every item is also called `step`, unless the sprint has a collection of steps. */
function isAtHand(at: Expansion, { scope }: Spot, name: string): boolean {
  const item = scope[name];
  return item !== undefined && (item['type'] === name || !at.sprint.collections.has(name));
}

/** The `allow` field of a sprint's item goes with it into PROGRESS.yaml. */
const liftedFor = ({ fields }: ItemSource): { readonly allow?: unknown } =>
  fields['allow'] === undefined || fields['allow'] === null ? {} : { allow: fields['allow'] };

function expandItem(
  at: Expansion,
  here: PhaseHere,
  { item, index, prefix = '' }: { readonly item: ItemSource; readonly index: number; readonly prefix?: string },
): Result<readonly CompiledPhase[]> {
  const { phase, spot } = here;
  const type = singular(phase.collection || phase.forEach);
  const values = { ...item.fields, id: item.id, index, prompt: item.prompt, type };
  const roots = Object.fromEntries(['item', type, phase.forEach, singular(phase.forEach)].map(root => [root, values]));
  const inItem: Spot = {
    ...spot,
    // A workflow written for steps also works for the items of any collection.
    scope: { step: values, ...spot.scope, ...roots },
    prefix,
    itemModel: item.model || spot.itemModel,
    level: 'step',
  };
  const name = item.workflow || phase.workflow;
  if (name !== '') {
    const source = item.workflow === '' ? undefined : { sprint: at.sprint, item };
    const inner = enter(at, { ...here, spot: inItem }, name, source);
    return inner.ok ? expandPhases(at, inner.value.workflow, inner.value.spot) : inner;
  }
  const only = { ...phase, id: 'execute', extra: {}, prompt: phase.prompt || '{{item.prompt}}' };
  const id = `${prefix}execute`;
  const scope = { ...inItem.scope, phase: { id, index: 0 } };
  const simple = simplePhase(at, { ...here, phase: only, id, spot: { ...inItem, scope } });
  return simple.ok ? ok([simple.value]) : simple;
}

/** Enters a workflow that another one refers to; a workflow that refers to itself is an error. */
function enter(
  at: Expansion,
  { workflow, phase, spot }: PhaseHere,
  name: string,
  from?: { readonly sprint: SprintSource; readonly item: ItemSource },
): Result<{ readonly workflow: WorkflowSource; readonly spot: Spot }> {
  const source = from?.sprint ?? workflow;
  const map = from ? from.item.node : phase.map;
  const node = 'items' in map ? (nodeOf(map as PhaseSource['map'], 'workflow') ?? map) : map;
  if (spot.stack.includes(name)) {
    const cycle = [...spot.stack.slice(spot.stack.indexOf(name)), name].join(' → ');
    return failAt(source, node, { message: `workflows refer to each other in a circle: ${cycle}` });
  }
  const loaded = at.load(name);
  if (loaded === undefined) return failAt(source, node, noWorkflow(name, at.workflowNames));
  if (!loaded.ok) return loaded;
  const inner: Spot = {
    ...spot,
    stack: [...spot.stack, name],
    phaseModel: phase.model || spot.phaseModel,
    workflowModel: loaded.value.model || spot.workflowModel,
  };
  return ok({ workflow: loaded.value, spot: inner });
}

/** The message and hint for an unknown workflow name. */
export function noWorkflow(
  name: string,
  known: readonly string[],
): { readonly message: string; readonly hint: string } {
  const near = nearest(name, known);
  const hint = near ? `Did you mean "${near}"?` : `Known ones: ${known.join(', ')}.`;
  return { message: `there is no workflow "${name}"`, hint };
}

function itemsFor(at: Expansion, { workflow, phase }: PhaseHere): Result<readonly ItemSource[]> {
  const name = singular(phase.collection || phase.forEach);
  const items = at.sprint.collections.get(name);
  at.used.add(name);
  if (items !== undefined && items.length > 0) return ok(items);
  const near = nearest(name, at.sprint.collections.keys());
  return failAt(workflow, nodeOf(phase.map, 'for-each'), {
    message: `the phase ${phase.id} is for each ${name}, but the sprint has none`,
    hint: near === undefined || near === name ? `Add them to ${at.sprint.path}.` : `Did you mean ${near}?`,
  });
}

function fillDeep(at: Expansion, value: Readonly<Record<string, unknown>>, scope: Scope): Record<string, unknown> {
  const fill = (part: unknown): unknown => {
    if (typeof part === 'string') return fillTemplate(part, { scope, items: at.items }).text;
    if (Array.isArray(part)) return part.map(fill);
    if (typeof part !== 'object' || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([key, inner]) => [key, fill(inner)]));
  };
  return fill(value) as Record<string, unknown>;
}
