/** Finds files of the build that are programs of their own. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** By the name in the build folder: relative to a chunk of the bundle, to the bundle itself, or to the sources. */
export function builtFile(name: string): string {
  const places = [`../${name}`, `./${name}`, `../../dist/${name}`];
  const paths = places.map(place => fileURLToPath(new URL(place, import.meta.url)));
  return paths.find(path => existsSync(path)) ?? paths.at(-1) ?? '';
}
