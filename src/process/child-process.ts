/** `node:child_process`, loaded when it is first used: a mark starts nothing. */
export const childProcess = (): typeof import('node:child_process') => process.getBuiltinModule('node:child_process');
