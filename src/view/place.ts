/** Where runs are stored. */
import type { RalphFolder } from '../journal/index.ts';

/** A checkout that stores runs. */
export interface Place {
  /** Null for the served checkout. */
  readonly name: string | null;
  readonly root: string;
  readonly folder: RalphFolder;
}
