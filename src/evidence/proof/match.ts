/** Which of a runner's ids belong to which test in the source. */
import { normalName } from '../../audit/index.ts';

export interface NamedTest {
  readonly path: string;
  readonly name: string;
}

/** What a title is filled in with when the test runs: `%s`, `$name`, `${name}`, `#{name}`. */
const PLACEHOLDER = /%[sdifjoOp#%$]|[$#]\{[^}]*\}|\$[\w.#]+/g;

/** A test of a table has one id for each of its rows. */
export function idMatcher({ path, name }: NamedTest): (id: string) => boolean {
  const title = normalName(name)
    .split(PLACEHOLDER)
    .map(part => part.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
    .join('.*');
  const pattern = new RegExp(String.raw`(?:^|> |› |::)${title}(?:\[.*\])?(?:/.*)?(?: \(\d+\))?$`, 's');
  return id => pattern.test(normalName(id)) && isOf(id, path);
}

const FILE = /^(\S+\.\w{1,4})(?: > |::)/;

/** Where the id names a file, it has to be this one. */
function isOf(id: string, path: string): boolean {
  const file = FILE.exec(id)?.[1];
  return file === undefined || sameFile(file, path);
}

/** Runners name files from where they were started, or whole. */
export const sameFile = (named: string, path: string): boolean =>
  named === path || named.endsWith(`/${path}`) || path.endsWith(`/${named}`);
