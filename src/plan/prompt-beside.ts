/** A prompt file beside a plan: standing instructions for all of its items. */
import { dirname, join } from 'node:path';
import type { PlanFiles } from '../protocol.ts';

export const PROMPT_NAMES = ['PROMPT.md', 'prompt.md'];

export const promptBeside = (path: string, files: PlanFiles): string =>
  PROMPT_NAMES.map(name => files.read(join(dirname(path), name))).find(
    text => text !== undefined && text.trim() !== '',
  ) ?? '';
