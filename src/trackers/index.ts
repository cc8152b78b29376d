/** Issues of a tracker as a plan: the copy that a run reads, and what the tracker is told. */
export { beads, exportBeads } from './beads.ts';
export { copyOf, fetchCopy } from './fetch.ts';
export { type Mirror, openMirror, type Sent } from './mirror.ts';
export { sourceFor } from './sources.ts';
