/** Files that hold words of a plan beside its own file: without them its items say less, or nothing. */
import { dirname, join } from 'node:path';
import type { Plan } from '../protocol.ts';
import { kindOf } from './disk.ts';
import { SHARED } from './groups-prompts.ts';
import { PROMPT_NAMES } from './prompt-beside.ts';

/** From the folder of the plan. */
const BESIDE: Readonly<Record<string, readonly string[]>> = {
  prd: PROMPT_NAMES,
  checklist: PROMPT_NAMES,
  groups: [SHARED],
};

export function wordFiles({ plan, path }: { readonly plan: Plan; readonly path: string }): readonly string[] {
  const sources = plan.items.flatMap(({ source }) => (source ? [source.path] : []));
  const files = [...sources, ...(BESIDE[plan.format] ?? [])].map(name => join(dirname(path), name));
  return [...new Set(files)].filter(file => file !== path && kindOf(file) === 'file');
}
