/** Matches a test runner's ids to tests in the source. */
import { normalName } from '../../audit/index.ts';

export interface NamedTest {
  readonly path: string;
  readonly name: string;
}

/** Placeholders that are filled in when a test runs: `%s`, `$name`, `${name}`, `#{name}`. */
const PLACEHOLDER = /%[sdifjoOp#%$]|[$#]\{[^}]*\}|\$[\w.#]+/g;

/** A table-driven test has one id per row. */
export function idMatcher({ path, name }: NamedTest): (id: string) => boolean {
  const title = normalName(name)
    .split(PLACEHOLDER)
    .map(part => part.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
    .join('.*');
  const pattern = new RegExp(String.raw`(?:^|> |› |::)${title}(?:\[.*\])?(?:/.*)?(?: \(\d+\))?$`, 's');
  return id => pattern.test(normalName(id)) && isOf(id, path);
}

const FILE = /^(\S+\.\w{1,4})(?: > |::)/;

/** If the id names a file, it has to be this one. */
function isOf(id: string, path: string): boolean {
  const file = FILE.exec(id)?.[1];
  return file === undefined || sameFile(file, path);
}

/** Test runners print paths relative to their working directory, or absolute ones. */
export const sameFile = (named: string, path: string): boolean =>
  named === path || named.endsWith(`/${path}`) || path.endsWith(`/${named}`);
