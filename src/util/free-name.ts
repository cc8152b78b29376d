/** The first of `name`, `name-2`, `name-3`, … that is free. */
export function freeName(wanted: string, isFree: (name: string) => boolean): string {
  for (let n = 1; ; n++) {
    const name = n === 1 ? wanted : `${wanted}-${n}`;
    if (isFree(name)) return name;
  }
}
