/**
 * The user's own git settings as they were when the run began. An agent may write to `~/.gitconfig` like anybody else;
 * the runner's git reads a copy instead.
 */

export interface ConfigEntry {
  readonly scope: string;
  readonly key: string;
  /** Undefined for a key that stands alone, which means true. */
  readonly value: string | undefined;
}

/** `git config --list -z --show-scope --includes`. */
export function parseConfigList(out: Buffer): readonly ConfigEntry[] {
  const fields = out.toString('utf8').split('\0');
  const entries: ConfigEntry[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [scope = '', field = ''] = fields.slice(at, at + 2);
    const end = field.indexOf('\n');
    entries.push(
      end < 0
        ? { scope, key: field, value: undefined }
        : { scope, key: field.slice(0, end), value: field.slice(end + 1) },
    );
  }
  return entries;
}

/** One file with everything of the user's own, includes resolved; empty where there is nothing. */
export function globalConfigText(entries: readonly ConfigEntry[]): string {
  return entries
    .filter(({ scope, key }) => scope === 'global' && !/^include(if\..*)?\.path$/is.test(key))
    .map(entryText)
    .join('');
}

function entryText({ key, value }: ConfigEntry): string {
  const [first, last] = [key.indexOf('.'), key.lastIndexOf('.')];
  const sub = first < last ? ` "${key.slice(first + 1, last).replace(/["\\]/g, '\\$&')}"` : '';
  const name = key.slice(last + 1);
  return `[${key.slice(0, first)}${sub}]\n\t${value === undefined ? name : `${name} = "${escaped(value)}"`}\n`;
}

const escaped = (value: string): string =>
  value.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\t', '\\t').replaceAll('\b', '\\b');

/** Keys that differ between two config files, for a message; empty where they cannot be read. */
export function changedKeys(was: string, found: string): readonly string[] {
  const [before, after] = [valuesIn(was), valuesIn(found)];
  return [...new Set([...before.keys(), ...after.keys()])].filter(key => before.get(key) !== after.get(key));
}

function valuesIn(text: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  let section = '';
  for (const line of text.split('\n')) {
    const head = /^\s*\[\s*([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]/.exec(line);
    if (head) section = [head[1]?.toLowerCase(), head[2]].filter(Boolean).join('.');
    const entry = /^\s*([A-Za-z][\w-]*)\s*(?:=(.*))?$/.exec(head ? line.slice(head[0].length) : line);
    if (!entry?.[1]) continue;
    const key = `${section}.${entry[1]}`;
    values.set(key, `${values.get(key) ?? ''}\n${entry[2]?.trim() ?? ''}`);
  }
  return values;
}
