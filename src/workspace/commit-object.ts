/** `git commit-tree` for the commits a runner makes: one parent, a plain identity, a date from the journal. */

export interface Author {
  readonly name: string;
  readonly email: string;
}

export interface Commit {
  readonly tree: string;
  readonly parent: string;
  readonly message: string;
  /** Epoch milliseconds from the journal: the same record always makes the same commit. */
  readonly at: number;
}

/** The bytes of the commit, or undefined where git would change what it was given. */
export function commitBody({ tree, parent, message, at }: Commit, author: Author): Buffer | undefined {
  if (!isPlain(author.name) || !isPlain(author.email) || message.includes('\0')) return undefined;
  const who = `${author.name} <${author.email}> ${commitDate(at)}`;
  const head = `tree ${tree}\nparent ${parent}\nauthor ${who}\ncommitter ${who}\n\n`;
  return Buffer.from(`${head}${message}`);
}

export const commitDate = (at: number): string => `${Math.floor(at / 1000)} +0000`;

// Git strips these from the ends of a name, and brackets and line ends from everywhere.
const isPlain = (text: string): boolean =>
  // biome-ignore lint: control characters are what this is about
  /^[^\x00-\x1f<>]+$/.test(text) && !/^[ .,:;"\\']|[ .,:;"\\']$/.test(text);
