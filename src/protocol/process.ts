/** A process: who it is and how it ended. */

/** Identity of a process that survives pid reuse. */
export interface ProcessId {
  readonly pid: number;
  /** Start time in the platform's own unit; with the boot it makes a pid unique. */
  readonly started: string;
  readonly boot: string;
}

/** A process as other machines see it. */
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
    /** It said it was finished but did not leave in time, or a child held its output open. */
    | 'lingered'
    | 'idle'
    | 'timeout'
    | 'stopped'
    | 'not-started';
  readonly code: number | null;
  readonly signal: string | null;
  readonly durationMs: number;
  readonly leftovers: readonly Leftover[];
  /** Came while it ran, without parent or terminal, of the same user: nothing shows whose they are. */
  readonly strangers?: readonly Leftover[];
  readonly outputBytes: number;
  readonly droppedBytes: number;
  /** The last of stdout and stderr, decoded and stripped of control codes. */
  readonly tail: string;
  /** The last of stderr alone. */
  readonly stderr?: string;
  /** Why it could not be started, for `not-started`. */
  readonly error?: string;
}
