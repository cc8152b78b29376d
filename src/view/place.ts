/** Where runs are kept. */
import type { RalphFolder } from '../journal/index.ts';

/** A checkout that keeps runs. */
export interface Place {
  /** Null for the one that is served. */
  readonly name: string | null;
  readonly root: string;
  readonly folder: RalphFolder;
}
