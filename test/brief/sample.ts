/** A brief's input with everything in it; tests change what they are about. */
import { type BriefInput, DEFAULT_BUDGET, type Templates } from '../../src/brief/slots.ts';
import { loadTemplates } from '../../src/brief/templates.ts';
import type { Item } from '../../src/protocol.ts';

function builtInTemplates(): Templates {
  const loaded = loadTemplates({ read: () => undefined });
  if (!loaded.ok) throw new Error(loaded.error.message);
  return loaded.value;
}

export const sampleItem: Item = {
  id: 'US-003',
  title: 'Filter tasks by priority',
  status: 'pending',
  dependsOn: [],
  line: 42,
  body: 'As a user I want to filter the list, so that I see what matters first.',
  criteria: ['A selector with all, high, medium and low', 'The choice survives a reload'],
  verify: ['npm test -- filter'],
  changeOptional: false,
};

export function sampleInput(changes: Partial<BriefInput> = {}): BriefInput {
  return {
    run: '2026-01-08-payments',
    iteration: 7,
    attempt: 2,
    maxAttempts: 3,
    item: sampleItem,
    plan: { path: 'prd.json', format: 'prd', name: 'payments', instructions: '', repeats: false },
    position: {
      done: 2,
      total: 9,
      blocked: 1,
      recent: ['Add a priority column', 'Show priority as a badge'],
      upcoming: ['Sort by due date', 'Export as CSV'],
    },
    gates: [
      { name: 'typecheck', run: 'npm run typecheck', timeoutMs: 60_000 },
      { name: 'npm test', run: 'npm test', timeoutMs: 60_000 },
    ],
    finalGates: [{ name: 'e2e', run: 'npm run e2e', timeoutMs: 60_000 }],
    rules: {
      allow: ['src/**', 'test/**'],
      forbid: ['data/**'],
      writeOnce: ['docs/_archive/**'],
      files: 60,
      lines: 5000,
      warnFiles: 10,
      warnLines: 500,
    },
    owned: ['prd.json', 'ralph.yaml'],
    feedback: '',
    kept: false,
    unclaimed: false,
    carried: false,
    lessons: [],
    progress: [],
    context: [],
    steering: [],
    templates: builtInTemplates(),
    budget: DEFAULT_BUDGET,
    ...changes,
  };
}
