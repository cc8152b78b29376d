/** Whether two outputs are the same trouble. */

interface Checked {
  readonly name: string;
  readonly status: string;
  readonly exit: number | null;
  readonly tail: string;
}

/** Two outputs that differ only in times, counts, addresses and paths of temporary folders are the same failure. */
export function fingerprint(tail: string): string {
  const normal = tail
    .replace(/0x[0-9a-f]+|\d+/gi, '#')
    .replace(/\s+/g, ' ')
    .slice(-2000);
  let hash = 5381;
  for (let i = 0; i < normal.length; i++) hash = ((hash * 33) ^ normal.charCodeAt(i)) >>> 0;
  return hash.toString(36);
}

/** A gate that is red, and how. */
export interface RedGate {
  readonly name: string;
  readonly failure: string;
}

export const isRed = ({ status }: Checked): boolean => status === 'red' || status === 'timeout';

export const redGate = ({ name, exit, tail }: Checked): RedGate => ({
  name,
  failure: `${exit ?? 'none'}:${fingerprint(tail)}`,
});

/** Red as before, in the same way; another failure of the same gate is news. */
export const wasRedSo = (before: readonly RedGate[], now: Checked): boolean =>
  before.some(({ name, failure }) => name === now.name && failure === redGate(now).failure);
