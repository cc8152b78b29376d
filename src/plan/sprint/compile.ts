/** Compiles SPRINT.yaml and its workflows to the initial text of PROGRESS.yaml. */

import { basename, dirname } from 'node:path';
import { dayOf } from '../../util/clock.ts';
import { type Failure, ok, type Result } from '../../util/result.ts';
import { yaml } from '../../util/yaml-package.ts';
import { type CompiledPhase, type Expansion, expandWorkflow, noWorkflow } from './expand.ts';
import { failAt, readSprint, readWorkflowFile, type SprintSource, type WorkflowSource } from './source.ts';
import { usesItem } from './template.ts';
import { mapOf, nodeOf, plainOf } from './yaml.ts';

export interface CompileInput {
  /** The text of SPRINT.yaml. */
  readonly sprint: string;
  readonly sprintPath: string;
  readonly readWorkflow: (name: string) => { readonly path: string; readonly text: string } | undefined;
  /** Names to suggest if a workflow is not found. */
  readonly workflowNames?: readonly string[];
  /** The time in epoch milliseconds: a sprint without an id is named after its folder and the day. */
  readonly at: number;
}

export interface Compiled {
  readonly text: string;
  readonly warnings: readonly Failure[];
}

/** The text of PROGRESS.yaml with warnings, or the first error with its file, line and column. */
export function compile(input: CompileInput): Result<Compiled> {
  const sprint = readSprint(input.sprint, input.sprintPath);
  if (!sprint.ok) return sprint;
  const id = sprint.value.id || dated(basename(dirname(input.sprintPath)), input.at);
  const names = [...sprint.value.collections.keys()];
  const at: Expansion = {
    sprint: sprint.value,
    load: loader(input),
    workflowNames: input.workflowNames ?? [],
    items: new Set(['item', 'step', ...names, ...names.map(name => `${name}s`)]),
    scope: { sprint: { id, name: sprint.value.name || id } },
    used: new Set(),
    warnings: [],
  };
  const main = mainWorkflow(at);
  if (!main.ok) return main;
  const phases = expandWorkflow(at, main.value);
  if (!phases.ok) return phases;
  for (const name of names.filter(name => !at.used.has(name))) {
    const unused = failAt(sprint.value, nodeOf(sprint.value.root, name === 'step' ? 'steps' : 'collections'), {
      message: `no phase of the workflow ${sprint.value.workflow} is for each ${name}: the sprint does not work on them`,
    });
    if (!unused.ok) at.warnings.push(unused.error);
  }
  return ok({
    text: render({ id, sprint: sprint.value, workflow: main.value, phases: phases.value }),
    warnings: at.warnings,
  });
}

function loader(input: CompileInput): Expansion['load'] {
  const known = new Map<string, Result<WorkflowSource> | undefined>();
  return name => {
    if (!known.has(name)) {
      const file = input.readWorkflow(name);
      known.set(name, file && readWorkflowFile(file.text, file.path, name));
    }
    return known.get(name);
  };
}

/** The sprint's workflow. A workflow written for a single item is repeated for each item, so that none is lost. */
function mainWorkflow(at: Expansion): Result<WorkflowSource> {
  const { sprint } = at;
  const items = [...sprint.collections.values()].flat();
  if (sprint.workflow === '') {
    if (items.length > 0 && items.every(item => item.workflow !== '')) return forEachItem(at, sprint, '');
    return failAt(sprint, nodeOf(sprint.root, 'workflow') ?? sprint.root, {
      message: 'the sprint names no workflow',
      hint: 'For example: workflow: plan-execute-verify',
    });
  }
  const main = at.load(sprint.workflow);
  if (main === undefined) {
    return failAt(sprint, nodeOf(sprint.root, 'workflow'), noWorkflow(sprint.workflow, at.workflowNames));
  }
  if (!main.ok || !isForOneItem(at, main.value)) return main;
  if (items.length > 0) return forEachItem(at, main.value, sprint.workflow);
  return failAt(sprint, nodeOf(sprint.root, 'workflow'), {
    message: `the workflow ${sprint.workflow} is made for steps, but the sprint has none`,
    hint: `Add them to ${sprint.path}: steps: [what to do first, what to do next]`,
  });
}

function isForOneItem(at: Expansion, workflow: WorkflowSource, seen: readonly string[] = []): boolean {
  if (workflow.phases.some(phase => phase.forEach !== '')) return false;
  return workflow.phases.some(phase => {
    if (phase.workflow === '') return usesItem(phase.prompt, at.items);
    const inner = seen.includes(phase.workflow) ? undefined : at.load(phase.workflow);
    return inner?.ok === true && isForOneItem(at, inner.value, [...seen, workflow.name]);
  });
}

function forEachItem(at: Expansion, source: SprintSource | WorkflowSource, workflow: string): Result<WorkflowSource> {
  const [forEach = 'step', ...others] = [...at.sprint.collections.keys()].toSorted(
    (a, b) => Number(b === 'step') - Number(a === 'step'),
  );
  if (others.length > 0 && forEach !== 'step') {
    return failAt(at.sprint, nodeOf(at.sprint.root, 'collections'), {
      message: `it is not clear which collection the workflow ${workflow} is for`,
      hint: 'Give it a phase with for-each.',
    });
  }
  const map = source.root;
  const phase = {
    id: 'development',
    prompt: '',
    promptNode: undefined,
    workflow,
    forEach,
    collection: '',
    model: '',
    extra: {},
    map,
  };
  const { model } = source;
  return ok({
    ...source,
    name: '',
    model,
    worktree: 'worktree' in source ? source.worktree : undefined,
    phases: [phase],
  });
}

function dated(folder: string, at: number): string {
  return /^\d{4}-\d{2}-\d{2}_/.test(folder) ? folder : `${dayOf(at)}_${folder || 'sprint'}`;
}

interface Rendering {
  readonly id: string;
  readonly sprint: SprintSource;
  readonly workflow: WorkflowSource;
  readonly phases: readonly CompiledPhase[];
}

function render({ id, sprint, workflow, phases }: Rendering): string {
  const steps = phases.flatMap(phase => phase.steps ?? []);
  const subPhases = steps.flatMap(step => step.phases);
  const first = phases[0]?.steps ? { step: 0, 'sub-phase': 0 } : { step: null, 'sub-phase': null };
  const [config, own] = [mapOf(sprint.root, 'config'), mapOf(sprint.root, 'worktree')];
  const worktree =
    own || workflow.worktree
      ? { ...(workflow.worktree as object | undefined), ...(own ? (plainOf(own) as object) : {}) }
      : undefined;
  const progress = {
    'sprint-id': id,
    status: 'not-started',
    phases,
    current: { phase: 0, ...first },
    stats: {
      'started-at': null,
      'total-phases': phases.length + subPhases.length,
      'completed-phases': 0,
      ...(steps.length > 0 ? { 'total-steps': steps.length, 'completed-steps': 0 } : {}),
    },
    ...(config ? { config: plainOf(config) } : {}),
    ...(worktree ? { worktree } : {}),
  };
  const head = `# Compiled from ${basename(sprint.path)}. The state of the sprint is kept here.\n`;
  return head + yaml().stringify(progress, { lineWidth: 0, blockQuote: 'literal', singleQuote: true });
}
