/** Globs as users write them: a glob that names a folder includes everything below it. */

/** Loaded on first use, because most commands have no globs. */
const picomatch = (): typeof import('picomatch') => require('picomatch');

export function globMatcher(globs: readonly string[]): (path: string) => boolean {
  if (globs.length === 0) return () => false;
  return picomatch()([...globs, ...globs.map(glob => `${glob.replace(/\/+$/, '')}/**`)], { dot: true });
}

/** Why a glob is invalid, or undefined. */
export function globProblem(glob: string): string | undefined {
  if (glob.trim() === '') return 'a glob must not be empty';
  if (glob.startsWith('/')) return 'a glob is relative to the top of the repository, so it does not start with /';
  if (/(^|\/)\.\.(\/|$)/.test(glob)) return 'a glob cannot leave the repository with ..';
  try {
    picomatch().makeRe(glob, { dot: true, strictBrackets: true });
    return undefined;
  } catch (error) {
    return (error as Error).message.replace(/^\w+: /, '').replace(/ - use.*$/, '');
  }
}
