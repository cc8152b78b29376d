/** Loads parts of node when they are first used. */
export const lateBuiltins: { readonly name: string; readonly renderChunk: (code: string) => string };
