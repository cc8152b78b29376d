/** Large runs: ten thousand iterations, five thousand items, and a report of two hundred. */
import { appendFileSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeRepo } from '../support/repo.ts';
import { executable, openBrowser, openPage } from './browser.ts';
