/** A process: its identity and how it ended. */

/** Identity of a process that survives pid reuse. */
export interface ProcessId {
  readonly pid: number;
  /** Start time in the platform's own unit; together with the boot it makes a pid unique. */
  readonly started: string;
  readonly boot: string;
}

/** A process with its host, for readers on other machines. */
export interface Runner {
  readonly process: ProcessId;
  readonly host: string;
}

export interface Leftover {
  readonly pid: number;
  readonly command: string;
  readonly killed: boolean;
}

/** How a supervised process ended. */
export interface ProcessEnd {
  readonly reason:
    | 'exited'
    /** The process said that it had finished but did not exit in time, or a child kept its output open. */
    | 'lingered'
    | 'idle'
    | 'timeout'
    | 'stopped'
    | 'not-started';
  readonly code: number | null;
  readonly signal: string | null;
  readonly durationMs: number;
  readonly leftovers: readonly Leftover[];
  /** Processes of the same user that started meanwhile, without parent or terminal: their owner is unknown. */
  readonly strangers?: readonly Leftover[];
  readonly outputBytes: number;
  readonly droppedBytes: number;
  /** The end of stdout and stderr, decoded and stripped of control codes. */
  readonly tail: string;
  /** The end of stderr alone. */
  readonly stderr?: string;
  /** Why the process could not be started, for `not-started`. */
  readonly error?: string;
}
