/** `node:child_process`, loaded on first use, because most commands start no program. */
export const childProcess = (): typeof import('node:child_process') => process.getBuiltinModule('node:child_process');
