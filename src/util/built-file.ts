/** Files of the build that are programs of their own. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** By its name below the build folder: seen from a chunk of the running bundle, from beside the chunks, or from the sources. */
export function builtFile(name: string): string {
  const places = [`../${name}`, `./${name}`, `../../dist/${name}`];
  const paths = places.map(place => fileURLToPath(new URL(place, import.meta.url)));
  return paths.find(path => existsSync(path)) ?? paths.at(-1) ?? '';
}
