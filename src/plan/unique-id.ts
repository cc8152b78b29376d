/** Ids used so far, each with the next number to try for a duplicate. */
export type TakenIds = Map<string, number>;

/** `wanted`, or if it is taken, with the first free number appended; the result counts as taken. */
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
