/** `node:crypto`, loaded when it is first used: looking at a run needs none of it, and it costs a sixth of node's start. */
export const crypto = (): typeof import('node:crypto') => process.getBuiltinModule('node:crypto');
