import { join } from 'node:path';

/** Where the vault of a folder of runs is. */
export const vaultIn = (runs: string): string => join(runs, '.git');
