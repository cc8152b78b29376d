/** `git diff-tree -z --raw --numstat -p` in one pass: exact names, modes and line counts, then the patch for people. */
import type { Change } from '../protocol.ts';

export interface Diff {
  readonly changes: readonly Change[];
  readonly patch: string;
}

const KINDS: Readonly<Record<string, Change['kind']>> = { A: 'added', M: 'modified', D: 'deleted', T: 'type-changed' };

export function parseDiff(out: Buffer): Diff {
  const raw = new Map<string, Pick<Change, 'kind' | 'mode' | 'oldMode' | 'before' | 'after'>>();
  const counts = new Map<string, { added: number; deleted: number; binary: boolean }>();
  let at = 0;
  const field = (): string => {
    const end = out.indexOf(0, at);
    const text = out.toString('utf8', at, end < 0 ? out.length : end);
    at = end < 0 ? out.length : end + 1;
    return text;
  };
  while (at < out.length) {
    // An empty field parts the lists from the patch.
    if (out[at] === 0) {
      at += 1;
      break;
    }
    const head = field();
    if (head.startsWith(':')) {
      const [oldMode = '', newMode = '', before = '', after = '', letter = 'M'] = head.slice(1).split(' ');
      const kind = KINDS[letter[0] ?? 'M'] ?? 'modified';
      raw.set(field(), {
        kind,
        mode: kind === 'deleted' ? oldMode : newMode,
        ...(kind === 'added' ? {} : { oldMode, before }),
        ...(kind === 'deleted' ? {} : { after }),
      });
      continue;
    }
    const [added = '-', deleted = '-', ...name] = head.split('\t');
    const binary = added === '-';
    counts.set(name.join('\t'), { added: binary ? 0 : Number(added), deleted: binary ? 0 : Number(deleted), binary });
  }
  const changes = [...raw].map(([path, sides]): Change => {
    return { path, ...sides, ...(counts.get(path) ?? { added: 0, deleted: 0, binary: false }) };
  });
  return { changes, patch: out.toString('utf8', at) };
}
