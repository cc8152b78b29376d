/** What can be asked about running processes. */

/** One process as the system lists it. */
export interface Row {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** It belongs to a terminal, so a person started it. */
  readonly terminal: boolean;
  /** In the unit of `ProcessId.started`. */
  readonly started: string;
  readonly zombie: boolean;
}

export interface Listing {
  readonly rows: readonly Row[];
  /** No process was born while the list was read: what is not in it does not exist. */
  readonly settled: boolean;
}

/** The questions the sweep asks; what a platform cannot answer is answered with nothing. */
export interface ProcessTable {
  /** Differs after every boot of the machine. */
  boot(): string;
  row(pid: number): Row | undefined;
  /** Every process, or only those that can have been born after `newerThan` where that is cheaper to list. */
  list(newerThan?: number): Listing;
  command(pid: number): string;
  /** One variable of the environment the process was started with. */
  variable(pid: number, name: string): string | undefined;
  folder(pid: number): string | undefined;
  /** Whether it has one of these files (see `fileKey`) open. */
  holds(pid: number, files: ReadonlySet<string>): boolean;
  /** Whether it is at work in this folder: it has a file in there open, or its command line names it. */
  worksIn?(pid: number, folder: string): boolean;
  /** The same for processes of one user in one control group; undefined where that is not known. */
  kin?(pid: number): string | undefined;
  /** How many pids there are before they are used again. */
  pidLimit(): number;
}

/** Start times in an order, whichever platform wrote them. */
export function startOrder(started: string): number {
  const ticks = Number(started);
  return Number.isNaN(ticks) ? Date.parse(started) : ticks;
}
