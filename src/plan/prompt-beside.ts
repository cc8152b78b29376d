/** The prompt that people keep beside a plan: standing instructions for every item of it. */
import { dirname, join } from 'node:path';
import type { PlanFiles } from '../protocol.ts';

const NAMES = ['PROMPT.md', 'prompt.md'];

export const promptBeside = (path: string, files: PlanFiles): string =>
  NAMES.map(name => files.read(join(dirname(path), name))).find(text => text !== undefined && text.trim() !== '') ?? '';
