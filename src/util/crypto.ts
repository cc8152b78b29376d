/** `node:crypto`, loaded on first use: commands that only show a run do not need it, and it costs a sixth of node's start-up time. */
let made: typeof import('node:crypto') | undefined;
export const crypto = (): typeof import('node:crypto') => (made ??= process.getBuiltinModule('node:crypto'));
