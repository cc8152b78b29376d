/** Where the config is. In a file of its own: where there is none, nothing that reads one is loaded. */
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';

export const CONFIG_NAMES = ['ralph.yaml', 'ralph.yml', 'ralph.json'] as const;

export function findConfig(root: string): string | undefined {
  return CONFIG_NAMES.map(name => join(root, name)).find(file => existsSync(file));
}

/** The name of the config file for messages: the one that is here, or the one to make. */
export const configName = ({ file }: { readonly file?: string | undefined }): string =>
  file === undefined ? CONFIG_NAMES[0] : basename(file);
