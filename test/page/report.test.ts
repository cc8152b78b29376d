/** `ralph report --html`: the run in one file, opened from disk. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Repo } from '../support/repo.ts';
import { executable, openBrowser, openPage } from './browser.ts';
import { finishedRun } from './scene.ts';

describe.skipIf(executable === undefined)('a report', () => {
  let repo: Repo;
  let browser: Browser;
  beforeAll(async () => {
    repo = await finishedRun();
    browser = await openBrowser();
  });
  afterAll(async () => await browser?.close());

  test('opens from disk', async () => {
    const file = join(repo.outside, 'report.html');
    const made = await repo.ralph(['report', '--html', file]);
    expect(made.stderr).toBe('');
    expect(made.code).toBe(0);
    expect(statSync(file).size).toBeLessThan(1_000_000);
    const { page, trouble } = await openPage(browser);
    await page.goto(pathToFileURL(file).href);
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(trouble).toEqual([]);
  });
});
