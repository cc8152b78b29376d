import { describe, expect, it, test } from 'vitest';
import { parse } from 'yaml';
import { compile } from '../../src/plan/sprint/compile.ts';
import { compileFolder } from '../../src/plan/sprint.ts';
import { AT, compiled, compiledWith, filesOf, mistake, planOf, shapeOf } from './support.ts';

const FLAT = `name: Flat
phases:
  - id: prepare
    prompt: "Prepare {{sprint.id}}"
  - id: all
    for-each: step
    workflow: build
`;
const BUILD = `name: Build
phases:
  - id: implement
    prompt: |
      Do {{step.index}}:

      {{step.prompt}}

      ## Then
      Write {{step.id}}.md in {{phase.id}} ({{phase.index}})
  - id: qa
    prompt: Check {{item.prompt}}
`;

describe('compiling', () => {
  it('unfolds for-each over steps that are strings and objects', () => {
    const sprint = 'workflow: flat\nsprint-id: s1\nsteps:\n  - First\n  - id: second\n    prompt: Second\n';
    const progress = compiled(sprint, { flat: FLAT, build: BUILD });
    expect(shapeOf(progress)).toBe('prepare; all[step-0(implement qa), second(implement qa)]');
    expect(progress).toMatchObject({
      'sprint-id': 's1',
      status: 'not-started',
      current: { phase: 0, step: null, 'sub-phase': null },
      stats: { 'started-at': null, 'total-phases': 6, 'completed-phases': 0, 'total-steps': 2, 'completed-steps': 0 },
    });
    expect(progress.phases[0]?.prompt).toBe('Prepare s1');
    expect(progress.phases[1]?.steps?.[1]).toMatchObject({ id: 'second', prompt: 'Second', status: 'pending' });
    expect(progress.phases[1]?.steps?.[1]?.phases[0]?.prompt).toBe(
      'Do 1:\n\nSecond\n\n## Then\nWrite second.md in implement (0)\n',
    );
  });

  it('points into the first step where the first phase has steps', () => {
    const progress = compiled('workflow: w\nsteps: [a]\n', {
      w: 'phases:\n  - {id: d, for-each: step, workflow: build}\n',
      build: BUILD,
    });
    expect(progress['current']).toEqual({ phase: 0, step: 0, 'sub-phase': 0 });
  });

  it('unfolds a collection by its name, in singular or plural, with the fields of its items', () => {
    const sprint = `workflow: w
collections:
  features:
    - prompt: A
      id: a
      area: {files: [x.ts, y.ts], owner: me}
  bug:
    - prompt: B
      severity: high
`;
    const w = `phases:
  - id: build
    for-each: feature
    workflow: one
  - id: repair
    for-each: bug
    workflow: two
`;
    const one =
      'phases:\n  - id: go\n    prompt: |\n      {{feature.prompt}} by {{item.area.owner}}:\n        {{item.area.files}}\n';
    const two = 'phases:\n  - id: go\n    prompt: "{{bug.id}} is {{item.severity}}"\n';
    const progress = compiled(sprint, { w, one, two });
    expect(shapeOf(progress)).toBe('build[a(go)]; repair[bug-0(go)]');
    expect(progress.phases[0]?.steps?.[0]?.phases[0]?.prompt).toBe('A by me:\n  - x.ts\n  - y.ts\n');
    expect(progress.phases[1]?.steps?.[0]?.phases[0]?.prompt).toBe('bug-0 is high');
  });

  it('lets workflows that speak of steps serve any collection', () => {
    const sprint = `workflow: w
steps: [S]
collections:
  stories: [{id: us-1, prompt: Pay}]
  bug: [Crash]
`;
    const w = `phases:
  - {id: build, for-each: story, workflow: one}
  - {id: mend, for-each: bug, workflow: nested}
`;
    const one = 'phases: [{id: go, prompt: "{{step.id}} {{step.prompt}} {{story.prompt}} {{item.prompt}}"}]\n';
    // A step's own items are gone through where the sprint has steps, and the item at hand stays known by its name.
    const nested = 'phases: [{id: each, for-each: step, prompt: "{{step.prompt}} {{bug.prompt}}"}]\n';
    const result = compiledWith(sprint, { w, one, nested });
    expect(result.ok && result.value.warnings).toEqual([]);
    const { phases } = compiled(sprint, { w, one, nested });
    expect(phases[0]?.steps?.[0]?.phases[0]?.prompt).toBe('us-1 Pay Pay Pay');
    expect(phases[1]?.steps?.[0]?.phases.map(({ id, prompt }) => `${id}: ${prompt}`)).toEqual([
      'each-step-0-execute: S Crash',
    ]);
  });

  it('puts the phases of a workflow that is referred to in its place, at any depth', () => {
    const main = 'phases:\n  - {id: doc, workflow: docs}\n  - {id: end, prompt: End}\n';
    const docs = 'phases:\n  - {id: plan, prompt: "{{phase.id}}"}\n  - {id: api, workflow: api}\n';
    const api = 'phases:\n  - {id: read, prompt: Read}\n  - {id: write, prompt: Write}\n';
    const progress = compiled('workflow: main\n', { main, docs, api });
    expect(shapeOf(progress)).toBe('doc-plan; doc-api-read; doc-api-write; end');
    expect(progress.phases[0]?.prompt).toBe('doc-plan');
    const inStep = compiled('workflow: each\nsteps: [a]\n', {
      each: 'phases:\n  - {id: d, for-each: step, workflow: docs}\n',
      docs,
      api,
    });
    expect(shapeOf(inStep)).toBe('d[step-0(plan api-read api-write)]');
  });

  it('takes the workflow and the model of an item over those around it', () => {
    const sprint =
      'workflow: flat\nmodel: sonnet\nsteps:\n  - prompt: a\n  - {prompt: b, workflow: quick, model: opus}\n';
    const quick = 'model: haiku\nphases:\n  - {id: go, prompt: Go, model: haiku}\n';
    const progress = compiled(sprint, {
      flat: FLAT,
      build: BUILD.replace('- id: qa', '- id: qa\n    model: haiku'),
      quick,
    });
    expect(shapeOf(progress)).toBe('prepare; all[step-0(implement qa), step-1(go)]');
    const [first, second] = progress.phases[1]?.steps ?? [];
    expect(progress.phases[0]?.['model']).toBe('sonnet');
    expect(first?.phases.map(phase => phase['model'])).toEqual(['sonnet', 'haiku']);
    expect(second).toMatchObject({ model: 'opus', phases: [{ model: 'opus' }] });
  });

  it('keeps parallel, gates, breaks and whatever else a phase has', () => {
    const w = `phases:
  - id: d
    for-each: step
    workflow: one
    break: true
  - id: sync
    prompt: Wait
    wait-for-parallel: true
`;
    const one = `phases:
  - id: go
    prompt: Go
    parallel: true
    gate: {script: "test -f {{step.id}}", on-fail: {prompt: Fix, max-retries: 2}}
`;
    const progress = compiled('workflow: w\nsteps: [a]\nconfig: {time-box: 4h}\nworktree: {enabled: true}\n', {
      w,
      one,
    });
    expect(progress.phases[0]?.['break']).toBe(true);
    expect(progress.phases[1]?.['wait-for-parallel']).toBe(true);
    expect(progress.phases[0]?.steps?.[0]?.phases[0]).toMatchObject({
      parallel: true,
      gate: { script: 'test -f step-0', 'on-fail': { prompt: 'Fix', 'max-retries': 2 } },
    });
    expect(progress).toMatchObject({ config: { 'time-box': '4h' }, worktree: { enabled: true } });
  });

  it('repeats a workflow that is written for one item, so that no step is lost', () => {
    const progress = compiled('workflow: build\nsteps: [a, b]\n', { build: BUILD });
    expect(shapeOf(progress)).toBe('development[step-0(implement qa), step-1(implement qa)]');
    const own = compiled('steps:\n  - {prompt: a, workflow: build}\n', { build: BUILD });
    expect(shapeOf(own)).toBe('development[step-0(implement qa)]');
  });

  it('lets a workflow for a whole sprint serve a single step', () => {
    const sprint = 'workflow: flat\nsteps:\n  - a\n  - {prompt: b, workflow: other}\n';
    const other = 'phases:\n  - {id: look, prompt: Look}\n  - {id: each, for-each: step, workflow: build}\n';
    const progress = compiled(sprint, { flat: FLAT, build: BUILD, other });
    expect(shapeOf(progress)).toBe('prepare; all[step-0(implement qa), step-1(look each-implement each-qa)]');
    expect(progress.phases[1]?.steps?.[1]?.phases[2]?.prompt).toBe('Check b');
  });

  it('makes one sub-phase of a for-each without a workflow', () => {
    const progress = compiled('workflow: w\nsteps: [a]\n', {
      w: 'phases:\n  - {id: d, for-each: step}\n  - {id: e, for-each: step, prompt: "Do {{item.prompt}}"}\n',
    });
    expect(shapeOf(progress)).toBe('d[step-0(execute)]; e[step-0(execute)]');
    expect(progress.phases.map(phase => phase.steps?.[0]?.phases[0]?.prompt)).toEqual(['a', 'Do a']);
  });

  it('names a sprint without an id after its folder and the day', () => {
    expect(compiled('workflow: w\n', { w: 'phases: [{id: a, prompt: "{{sprint.name}}"}]\n' })).toMatchObject({
      'sprint-id': '2026-01-16_login',
      phases: [{ prompt: '2026-01-16_login' }],
    });
  });

  test.each(['plan-execute-verify', 'test-first', 'bug-fix'])('%s ships with the program', name => {
    const result = compiledWith(`workflow: ${name}\nsteps: [Add a login]\n`);
    if (!result.ok) throw new Error(result.error.message);
    expect(result.value.warnings).toEqual([]);
    const { items, problems } = planOf(result.value.text);
    expect(problems).toEqual([]);
    expect(items).toHaveLength(3);
    for (const item of items) expect(item.body).toContain('Add a login');
    expect(items.some(item => !item.changeOptional)).toBe(true);
    expect(result.value.text).not.toContain('{{');
  });

  it('takes the workflow that is nearest to the sprint', () => {
    const workflow = (id: string) => `phases: [{id: ${id}, prompt: Go}]\n`;
    const all = {
      '/repo/.git/HEAD': '',
      '/repo/a/s/SPRINT.yaml': 'workflow: w\n',
      '/repo/.claude/workflows/w.yaml': workflow('root'),
      '/repo/a/workflows/w.yml': workflow('beside'),
    };
    const ids = (files: Record<string, string>) => {
      const result = compileFolder('/repo/a/s/PROGRESS.yaml', filesOf(files), AT);
      return result.ok ? shapeOf(parse(result.value.text)) : result.error.message;
    };
    expect(ids(all)).toBe('beside');
    const { '/repo/a/workflows/w.yml': _, ...rest } = all;
    expect(ids(rest)).toBe('root');
  });

  it('writes prompts as blocks and nothing twice', () => {
    const result = compile({
      sprint: 'workflow: w\nsteps:\n  - |\n    One\n\n    Two\n',
      sprintPath: '/s/SPRINT.yaml',
      readWorkflow: name =>
        name === 'w' ? { path: 'w.yaml', text: 'phases: [{id: d, for-each: step}]\n' } : undefined,
      at: AT,
    });
    expect(result.ok && result.value.text).toBe(`# Compiled from SPRINT.yaml. The state of the sprint is kept here.
sprint-id: 2026-01-16_s
status: not-started
phases:
  - id: d
    status: pending
    steps:
      - id: step-0
        prompt: |
          One

          Two
        status: pending
        phases:
          - id: execute
            status: pending
            prompt: |-
              One

              Two
current:
  phase: 0
  step: 0
  sub-phase: 0
stats:
  started-at: null
  total-phases: 2
  completed-phases: 0
  total-steps: 1
  completed-steps: 0
`);
  });
});

describe('mistakes have their place', () => {
  const steps = 'workflow: w\nsteps: [a]\n';
  test.each([
    ['', {}, 'SPRINT.yaml', 1, 1, /is empty/],
    ['steps: [a]\n', {}, 'SPRINT.yaml', 1, 1, /names no workflow/],
    ['a: 1\nworkflow: nope\n', {}, 'SPRINT.yaml', 2, 11, /no workflow "nope"/],
    ['workflow: w\nsteps:\n  - {id: a}\n', {}, 'SPRINT.yaml', 3, 5, /step 1 has no prompt/],
    ['workflow: w\nsteps: words\n', {}, 'SPRINT.yaml', 2, 8, /step has to be a list/],
    [
      'workflow: w\nsteps: [{id: a, prompt: x}, {id: a, prompt: y}]\n',
      {},
      'SPRINT.yaml',
      2,
      29,
      /two items with the id "a"/,
    ],
    ['workflow: w\nsteps: [a]\ncollections: {step: [b]}\n', {}, 'SPRINT.yaml', 3, 21, /given twice/],
    ['workflow: w\nsteps: [a\n', {}, 'SPRINT.yaml', 3, 1, /./],
    ['<<<<<<< ours\nworkflow: w\n', {}, 'SPRINT.yaml', 1, 1, /merge-conflict/],
    [steps, { w: 'name: W\n' }, 'w.yaml', 1, 1, /no phases/],
    [steps, { w: 'phases:\n  - prompt: x\n' }, 'w.yaml', 2, 5, /phase 1 has no id/],
    [steps, { w: 'phases:\n  - id: x\n' }, 'w.yaml', 2, 5, /neither a prompt nor a workflow/],
    [steps, { w: 'phases: [{id: x, prompt: a}, {id: x, prompt: b}]\n' }, 'w.yaml', 1, 35, /two phases have the id "x"/],
    [steps, { w: 'phases:\n  - id: x\n    workflow: other\n' }, 'w.yaml', 3, 15, /no workflow "other"/],
    [
      steps,
      { w: 'phases:\n  - id: x\n    for-each: bug\n    workflow: w2\n' },
      'w.yaml',
      3,
      15,
      /for each bug, but the sprint has none/,
    ],
    [
      'workflow: w\nsteps:\n  - prompt: a\n    workflow: gone\n',
      { w: 'phases: [{id: d, for-each: step}]\n' },
      'SPRINT.yaml',
      4,
      15,
      /no workflow "gone"/,
    ],
  ] as const)('%j %j', (sprint, workflows, file, line, column, message) => {
    const found = mistake(sprint, workflows);
    expect(found).toMatchObject({ file, line, column });
    expect(found.message).toMatch(message);
  });

  it('names a circle of workflows', () => {
    const found = mistake('workflow: a\n', {
      a: 'phases: [{id: x, workflow: b}]\n',
      b: 'phases:\n  - id: y\n    workflow: c\n',
      c: 'phases:\n  - id: z\n    workflow: b\n',
    });
    expect(found).toMatchObject({ file: 'c.yaml', line: 3, column: 15 });
    expect(found.message).toContain('b → c → b');
  });

  it('shows where an unknown variable is, and the nearest known one', () => {
    const w = `phases:
  - id: d
    for-each: step
    workflow: one
`;
    const one = `phases:
  - id: go
    prompt: |
      {{step.prompt}} is fine

      but {{ step.promt }} is not
`;
    expect(mistake(steps, { w, one })).toEqual({
      reason: 'sprint-invalid',
      file: 'one.yaml',
      line: 6,
      column: 11,
      message: 'there is no variable {{step.promt}}',
      hint: 'Did you mean {{step.prompt}}?',
    });
  });

  it('misses the steps that a workflow is made for', () => {
    expect(mistake('goal: Pay\nworkflow: bug-fix\n')).toMatchObject({
      line: 2,
      column: 11,
      message: 'the workflow bug-fix is made for steps, but the sprint has none',
    });
  });

  it('suggests the nearest workflow', () => {
    expect(mistake('workflow: bugfix\n').hint).toBe('Did you mean "bug-fix"?');
  });
});

describe('oddities are warnings', () => {
  const warnings = (sprint: string, workflows: Record<string, string>) => {
    const result = compiledWith(sprint, workflows);
    return result.ok ? result.value.warnings.map(({ line, column, message }) => `${line}:${column} ${message}`) : [];
  };

  it('keeps a variable of an item where there is none', () => {
    const w = 'phases:\n  - {id: d, for-each: step}\n  - {id: end, prompt: "See {{item.id}}"}\n';
    expect(warnings('workflow: w\nsteps: [a]\n', { w })).toEqual([
      '3:28 {{item.id}} has no value: the phase end is not for each item',
    ]);
    expect(compiled('workflow: w\nsteps: [a]\n', { w }).phases[1]?.prompt).toBe('See {{item.id}}');
  });

  it('says once what holds for every step', () => {
    const w = 'phases:\n  - {id: d, for-each: step, workflow: one}\n  - {id: e, prompt: Go}\n';
    const one = 'phases: [{id: x, prompt: "{{bug.id}}"}]\n';
    expect(warnings('workflow: w\nsteps: [a, b]\ncollections: {bug: [c]}\n', { w, one })).toEqual([
      '1:27 {{bug.id}} has no value: the phase x is not for each bug',
      '3:14 no phase of the workflow w is for each bug: the sprint does not work on them',
    ]);
  });

  it('says when no phase works on the steps', () => {
    expect(warnings('workflow: w\nsteps:\n  - a\n', { w: 'phases: [{id: x, prompt: Go}]\n' })).toEqual([
      '3:3 no phase of the workflow w is for each step: the sprint does not work on them',
    ]);
  });

  it('leaves other languages and what is meant as it stands alone', () => {
    const w = 'phases:\n  - id: x\n    prompt: |\n      ${{ secrets.KEY }} and \\{{user.name}} and {{#if x}}\n';
    expect(compiled('workflow: w\n', { w }).phases[0]?.prompt).toBe(
      '${{ secrets.KEY }} and {{user.name}} and {{#if x}}\n',
    );
  });

  it('does not read the words of an item as a template', () => {
    const progress = compiled('workflow: flat\nsteps: ["Use {{foo.bar}} and $& here"]\n', { flat: FLAT, build: BUILD });
    expect(progress.phases[1]?.steps?.[0]?.phases[1]?.prompt).toBe('Check Use {{foo.bar}} and $& here');
  });
});
