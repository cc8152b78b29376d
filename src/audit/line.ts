/** One line that came or went, as written, without comments, and without the insides of strings too. */
export interface Line {
  /** 1-based, in its own side of the file. */
  readonly number: number;
  readonly text: string;
  readonly code: string;
  readonly bare: string;
}
