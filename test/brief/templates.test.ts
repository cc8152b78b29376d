import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildBrief } from '../../src/brief/build.ts';
import { fill, sharedValues } from '../../src/brief/fill.ts';
import { SLOTS } from '../../src/brief/slots.ts';
import { BUILT_IN, loadTemplates, placeholdersOf } from '../../src/brief/templates.ts';
import { describeFailure } from '../../src/util/result.ts';
import { sampleInput, sampleItem } from './sample.ts';

const runs = Number(process.env.RALPH_PROPERTY_RUNS ?? 500);
const full = sampleInput({
  plan: { ...sampleInput().plan, instructions: 'Use tabs.', about: 'A shop.', testCommand: 'npm test' },
  item: { ...sampleItem, changeOptional: true, section: '## Phase 1\n\nThe foundation.' },
  documents: [{ path: 'spec.md', role: 'specification', passages: [{ line: 3, text: 'US-003 is about filters.' }] }],
  dependencies: ['## Iteration 1: US-001, accepted\n\nAdded the column.'],
  context: [{ path: 'docs/a.md', text: 'A.' }],
  steering: ['Be brief.'],
  feedback: 'Gate test is red.\nExpected 1, got 2.',
  lessons: [{ id: 'L-3fa9c1', kind: 'gotcha', text: 'The cache is stale -> clear it.' }],
  progress: ['## Iteration 1\n\nDid it.'],
});

function failureOf(overrides: Readonly<Record<string, string>>): string {
  const loaded = loadTemplates({ read: name => overrides[name] });
  return loaded.ok ? 'no failure' : describeFailure(loaded.error);
}

describe('the built-in templates', () => {
  test.each(SLOTS)('every placeholder of %s is filled', slot => {
    const filling = fill(slot, full);
    expect(filling).toBeDefined();
    const filled = new Set([
      ...Object.keys(sharedValues(full)),
      ...Object.keys(filling?.values ?? {}),
      ...(filling?.lists ?? []).map(list => list.name),
      'omitted',
    ]);
    const used = [...BUILT_IN[slot].matchAll(/\{\{[#^/]?\s*([^{}]*?)\s*\}\}/g)].map(([, name]) => name ?? '');
    expect(used.filter(name => !filled.has(name))).toEqual([]);
    expect(placeholdersOf(slot).filter(name => !filled.has(name))).toEqual([]);
  });

  test('no brief has a placeholder, a section tag or a hole left in it', () => {
    for (const repeats of [false, true]) {
      for (const unclaimed of [false, true]) {
        for (const carried of [false, true]) {
          const { text } = buildBrief({ ...full, plan: { ...full.plan, repeats }, unclaimed, carried });
          expect(text).not.toMatch(/\{\{|\}\}|undefined|\n\n\n/);
          const claim = repeats ? '<promise>COMPLETE</promise>' : 'RALPH_TASK_COMPLETE: US-003';
          expect(text.endsWith(`\n\n${claim}\n`)).toBe(true);
        }
      }
    }
  });
});

describe('templates of the user', () => {
  test('replace the built-in one and keep the others', () => {
    const loaded = loadTemplates({
      read: name => (name === 'role' ? 'You work on {{id}}{{#repeats}} again{{/repeats}}.\r\n' : undefined),
      names: ['role.md'],
    });
    if (!loaded.ok) throw new Error(describeFailure(loaded.error));
    const { text } = buildBrief({ ...full, templates: loaded.value });
    expect(text.startsWith('You work on US-003.\n\n## Instructions')).toBe(true);
    expect(text).toContain('## How to finish');
  });

  test('an empty one takes the slot out', () => {
    const loaded = loadTemplates({ read: name => (name === 'position' ? '\n' : undefined) });
    if (!loaded.ok) throw new Error(describeFailure(loaded.error));
    expect(buildBrief({ ...full, templates: loaded.value }).slots.map(slot => slot.name)).not.toContain('position');
  });

  test('one longer than its budget is given whole and noted', () => {
    const words = 'My own rule of the house. '.repeat(200).trim();
    const loaded = loadTemplates({ read: name => (name === 'role' ? words : undefined) });
    if (!loaded.ok) throw new Error(describeFailure(loaded.error));
    const brief = buildBrief({ ...full, templates: loaded.value });
    expect(brief.text).toContain(words);
    expect(brief.slots[0]?.note).toBe('the template alone is over the budget');
  });

  test('an unknown placeholder is a failure with its place and the nearest name', () => {
    expect(failureOf({ item: '# Item\n\nDo {{ tilte }} now.' })).toBe(
      '.ralph/templates/item.md:3:4: unknown placeholder {{tilte}}\n  Did you mean {{title}}?',
    );
    expect(failureOf({ claim: 'x\n  {{#repaets}}\n' })).toBe(
      '.ralph/templates/claim.md:2:3: unknown placeholder {{#repaets}}\n  Did you mean {{#repeats}}?',
    );
    expect(failureOf({ steering: '{{gibberish-name}}' })).toContain('This template knows: run, iteration');
  });

  test('a section that is not closed, or closed twice, is a failure', () => {
    expect(failureOf({ role: 'a\n{{#repeats}}\nb' })).toBe(
      '.ralph/templates/role.md:2:1: section "repeats" is never closed\n  Add {{/repeats}}.',
    );
    expect(failureOf({ role: '{{/repeats}}' })).toContain('.ralph/templates/role.md:1:1: {{/repeats}} closes');
    expect(failureOf({ role: '{{#id}}{{#plan}}{{/id}}{{/plan}}' })).toContain('Close {{#plan}} first.');
    expect(failureOf({ role: '{{#id}}'.repeat(50) + '{{/id}}'.repeat(50) })).toContain('nested more than 8 deep');
  });

  test('an unknown template is a failure with the nearest name', () => {
    const loaded = loadTemplates({ read: () => undefined, names: ['role.md', 'clam.md'] });
    expect(loaded.ok ? '' : describeFailure(loaded.error)).toBe(
      '.ralph/templates/clam.md:1:1: there is no template "clam"\n  Did you mean claim.md?',
    );
  });

  test('any text is a template or a failure with a place, never a throw', () => {
    const part = fc.oneof(
      fc.constantFrom('{{', '}}', '{{#id}}', '{{/id}}', '{{^id}}', '{{title}}', '\n', '{{}}'),
      fc.string(),
    );
    fc.assert(
      fc.property(
        fc.array(part).map(parts => parts.join('')),
        text => {
          const loaded = loadTemplates({ read: name => (name === 'item' ? text : undefined) });
          if (loaded.ok) buildBrief({ ...full, templates: loaded.value });
          else expect(loaded.error.line).toBeGreaterThan(0);
        },
      ),
      { numRuns: runs },
    );
  });
});
