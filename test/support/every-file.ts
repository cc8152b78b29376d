/** Runs in every test file, also where files share a process. */
import { afterAll } from 'vitest';
import { endFile } from './at-end.ts';

afterAll(endFile);
