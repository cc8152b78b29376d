/** The door of this room. */
export { discard, restore } from './discard.ts';
export { type MergeResult, merge } from './merge.ts';
