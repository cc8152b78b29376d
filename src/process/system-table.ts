/** The system's process table: `/proc` on Linux, `ps` elsewhere. */
import { procTable } from './proc-table.ts';
import type { ProcessTable } from './process-table.ts';
import { psTable } from './ps-table.ts';

export const systemTable: ProcessTable = process.platform === 'linux' ? procTable : psTable;
