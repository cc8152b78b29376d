import type { Failure } from '../util/result.ts';
import { nearest } from '../util/suggest.ts';

/** The failure for an unknown item id, with the most similar known id. */
export function unknownItem(id: string, known: readonly string[]): Failure {
  const near = nearest(id, known);
  return {
    reason: 'unknown-item',
    message: `the plan has no item "${id}"`,
    hint: near === undefined ? '`ralph check` lists the items.' : `Did you mean "${near}"?`,
  };
}
