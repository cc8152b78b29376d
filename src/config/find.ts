/** Where the config is. In a file of its own: where there is none, nothing that reads one is loaded. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';

export const CONFIG_NAMES = ['ralph.yaml', 'ralph.yml', 'ralph.json'] as const;

export function findConfig(root: string): string | undefined {
  return CONFIG_NAMES.map(name => join(root, name)).find(file => existsSync(file));
}
