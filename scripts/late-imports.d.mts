/** Loads parts of node and late chunks when they are first used. */
export const lateImports: { readonly name: string; readonly renderChunk: (code: string) => string };
