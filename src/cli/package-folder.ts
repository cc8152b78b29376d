/** Folders of the installed package. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A folder beside dist/ or src/, whatever the depth of this file in the bundle. */
export function packageFolder(name: 'docs' | 'plugin'): string {
  const paths = [`../${name}`, `../../${name}`].map(place => fileURLToPath(new URL(place, import.meta.url)));
  return paths.find(path => existsSync(path)) ?? paths[1] ?? '';
}
