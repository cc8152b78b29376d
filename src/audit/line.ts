/** One added or removed line: as written, without comments, and also without the contents of strings. */
export interface Line {
  /** 1-based, on its side of the file. */
  readonly number: number;
  readonly text: string;
  readonly code: string;
  readonly bare: string;
}
