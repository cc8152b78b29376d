/** What a program may see and write, as data. Each tier turns it into a command line of its own. */

/** What keeps a program inside: bubblewrap, a container, the sandbox of macOS, or nothing. */
export type Tier = 'bwrap' | 'docker' | 'seatbelt' | 'none';

/** What a path is inside. Later ones lie over earlier ones. */
export interface Mount {
  /** `empty`: a folder with nothing in it, which forgets what is written there. `blank`: a file with nothing in it. */
  readonly as: 'empty' | 'blank' | 'read' | 'write';
  readonly path: string;
}

/** The whole disk can be read and none of it written, except for these mounts. */
export interface Policy {
  readonly mounts: readonly Mount[];
  readonly network: 'full' | 'none';
  /** All of it. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** The person's own; at this path there is an empty folder with what the program needs. */
  readonly home: string;
}

export type Argv = readonly [string, ...string[]];

/** A command that is kept inside, ready to be started. */
export interface Contained {
  readonly argv: Argv;
  readonly env: Readonly<Record<string, string>>;
  /** It is another program that keeps the command inside, and ends with it; absent: the command itself, or a client of it. */
  readonly wrapped?: true;
  /** Ends what a dead client would leave running; only a container needs it. */
  readonly cleanUp?: Argv;
}
