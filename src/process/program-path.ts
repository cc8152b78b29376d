/** Finds a program's path and caches it, so that not every start searches the whole PATH. */
import { delimiter, join } from 'node:path';
import { isProgram } from '../util/paths.ts';

const known = new Map<string, string>();

/** The absolute path; undefined if the program is not in PATH. */
export function programPath(name: string, env: NodeJS.ProcessEnv): string | undefined {
  if (name.includes('/')) return name;
  const key = `${name}\0${env.PATH ?? ''}`;
  const before = known.get(key);
  if (before !== undefined && isProgram(before)) return before;
  const found = (env.PATH ?? '')
    .split(delimiter)
    .filter(folder => folder.startsWith('/'))
    .map(folder => join(folder, name))
    .find(isProgram);
  if (found !== undefined) known.set(key, found);
  return found;
}
