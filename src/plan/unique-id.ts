/** Ids that are used so far, each with the number to try next for its like. */
export type TakenIds = Map<string, number>;

/** `wanted`, or with the first free number after it; the result counts as used. */
export function uniqueId(taken: TakenIds, wanted: string, joint: '-' | '#'): string {
  if (!taken.has(wanted)) {
    taken.set(wanted, 2);
    return wanted;
  }
  let id = wanted;
  let n = taken.get(wanted) ?? 2;
  while (taken.has(id)) id = `${wanted}${joint}${n++}`;
  taken.set(wanted, n);
  taken.set(id, 2);
  return id;
}
