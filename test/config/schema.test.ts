import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { starterPlan } from '../../src/init/starter-plan.ts';
import { prdSchema } from '../../src/plan/prd-schema.ts';
import { compile } from '../../src/plan/sprint/compile.ts';
import { sprint } from '../../src/plan/sprint.ts';
import { progressSchema } from '../../src/plan/sprint-schema.ts';
import { schemas } from '../../src/schemas.ts';
import type { Result } from '../../src/util/result.ts';
import { texts } from '../plan/texts.ts';

it('the published JSON Schemas are what the parsers use; `npm run build` writes them anew', () => {
  const all = Object.entries(schemas());
  for (const [name, schema] of all) {
    const published = JSON.parse(readFileSync(`schemas/${name}.schema.json`, 'utf8')) as unknown;
    expect(published).toEqual(JSON.parse(JSON.stringify(schema)));
  }
  // That of the events and the interface of the page are made from their types.
  const names = ['events', ...all.map(([name]) => name)].map(name => `${name}.schema.json`);
  expect(readdirSync('schemas').toSorted()).toEqual([...names, 'openapi.json'].toSorted());
});

describe('plans fit their schema', () => {
  const facts = { project: 'A "shop"', language: undefined, gates: [], at: 0 };

  it('the starter prd.json, and the one of the demo', () => {
    const starter = starterPlan('prd', facts).files['prd.json'] ?? '';
    const demo = readFileSync('src/demo/files/prd.json.txt', 'utf8');
    for (const text of [starter, demo]) expect(prdSchema.safeParse(JSON.parse(text)).error).toBeUndefined();
  });

  it.each([
    ['a number', 3],
    ['stories that are words', { userStories: ['one'] }],
    ['an id that is a list', [{ id: [] }]],
    ['commands that are numbers', [{ id: 'a', verify: [1] }]],
  ])('not %s', (_, plan) => {
    expect(prdSchema.safeParse(plan).success).toBe(false);
  });

  const workflow = {
    path: 'workflows/two.yaml',
    text: 'phases:\n  - id: prepare\n    prompt: Get ready\n  - id: develop\n    for-each: step\n    prompt: "{{step.prompt}}"\n',
  };
  const compiled = compile({
    sprint: 'sprint-id: first\nworkflow: two\nsteps:\n  - prompt: One\n  - prompt: Two\n',
    sprintPath: 'sprints/first/SPRINT.yaml',
    readWorkflow: () => workflow,
    at: 0,
  });
  const text = compiled.ok ? compiled.value.text : '';

  it('a compiled sprint, and the same after an attempt, a mark and the end', () => {
    const files = { read: () => undefined, isFolder: () => false, list: () => [] };
    const fits = (yaml: string) => expect(progressSchema.safeParse(parse(yaml)).error).toBeUndefined();
    fits(text);
    const [first, ...others] = texts(sprint)
      .parse(text, 'PROGRESS.yaml', files)
      .items.map(({ id }) => id);
    let now = text;
    const apply = (next: Result<string>) => {
      if (next.ok) now = next.value;
      expect(next.ok).toBe(true);
      fits(now);
    };
    apply(texts(sprint).begin(now, { id: first ?? '', attempt: 2, at: 1000 }));
    apply(texts(sprint).mark(now, { id: first ?? '', to: 'blocked', note: 'no key', at: 2000 }));
    for (const id of [first ?? '', ...others]) apply(texts(sprint).mark(now, { id, to: 'done', at: 3000 }));
    expect(now).toContain('completed');
  });

  it('not a sprint without phases or with an unknown state', () => {
    const whole = parse(text) as Record<string, unknown>;
    expect(progressSchema.safeParse({ ...whole, phases: [] }).success).toBe(false);
    expect(progressSchema.safeParse({ ...whole, status: 'nearly' }).success).toBe(false);
  });
});
