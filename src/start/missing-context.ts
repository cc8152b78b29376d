/** Files that every brief is to carry, and that are not there. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Settings } from '../config/index.ts';

export const missingContext = ({ context }: Pick<Settings, 'context'>, root: string): readonly string[] =>
  context.filter(path => !existsSync(join(root, path)));
