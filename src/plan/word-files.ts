/** Files beside the plan's own file that hold part of its text: without them its items say less, or nothing. */
import { dirname, join } from 'node:path';
import type { Plan } from '../protocol.ts';
import { kindOf } from './disk.ts';
import { SHARED } from './groups-prompts.ts';
import { PROMPT_NAMES } from './prompt-beside.ts';

/** Paths relative to the folder of the plan. */
function besidePlan(format: string): readonly string[] {
  switch (format) {
    case 'prd':
    case 'checklist':
      return PROMPT_NAMES;
    case 'groups':
      return [SHARED];
    default:
      return [];
  }
}

export function wordFiles({ plan, path }: { readonly plan: Plan; readonly path: string }): readonly string[] {
  const sources = plan.items.flatMap(({ source }) => (source ? [source.path] : []));
  const files = [...sources, ...besidePlan(plan.format)].map(name => join(dirname(path), name));
  return [...new Set(files)].filter(file => file !== path && kindOf(file) === 'file');
}
