/** `node:crypto`, loaded when it is first used: looking at a run needs none of it, and it costs a sixth of node's start. */
let made: typeof import('node:crypto') | undefined;
export const crypto = (): typeof import('node:crypto') => (made ??= process.getBuiltinModule('node:crypto'));
