/** Archives one run, bundled and run as a process of its own so that it can be killed at any point. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Recorded } from '../../src/events.ts';
import { archiveRun } from '../../src/memory/archive.ts';
import { Memory } from '../../src/memory/memory.ts';

const [root = '', run = ''] = process.argv.slice(2);
const folder = join(root, '.ralph');
const records = JSON.parse(readFileSync(join(root, 'records.json'), 'utf8')) as Recorded[];
const memory = new Memory({ root, folder, archives: join(root, 'archives') });
const progress = join(folder, 'progress.md');
const archived = archiveRun({ memory, run, runFolder: join(folder, 'runs', run), records, progress });
memory.close();
process.exitCode = archived.ok ? 0 : 1;
