/** Queries about running processes. */

/** One process as the system lists it. */
export interface Row {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** The process belongs to a terminal, so a person started it. */
  readonly terminal: boolean;
  /** In the unit of `ProcessId.started`. */
  readonly started: string;
  readonly zombie: boolean;
}

export interface Listing {
  readonly rows: readonly Row[];
  /** No process was created while the list was read, so it is complete. */
  readonly settled: boolean;
}

/** The queries that the sweep needs; a platform that cannot answer one returns nothing. */
export interface ProcessTable {
  /** Differs after every boot of the machine. */
  boot(): string;
  row(pid: number): Row | undefined;
  /** All processes, or only those that can be younger than `newerThan`, if that is cheaper to list. */
  list(newerThan?: number): Listing;
  command(pid: number): string;
  /** One variable of the environment the process was started with. */
  variable(pid: number, name: string): string | undefined;
  folder(pid: number): string | undefined;
  /** Whether it has one of these files (see `fileKey`) open. */
  holds(pid: number, files: ReadonlySet<string>): boolean;
  /** Whether it works in this folder: it has a file there open, or its command line names the folder. */
  worksIn?(pid: number, folder: string): boolean;
  /** A key that is equal for processes of one user in one control group; undefined if unknown. */
  kin?(pid: number): string | undefined;
  /** How many pids there are before they are reused. */
  pidLimit(): number;
}

/** Makes start times comparable, on any platform. */
export function startOrder(started: string): number {
  const ticks = Number(started);
  return Number.isNaN(ticks) ? Date.parse(started) : ticks;
}
