/** Large runs: ten thousand iterations and five thousand items, in a second and smooth; a report of two hundred items. */
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeRepo } from '../support/repo.ts';
import { executable, openBrowser, openPage } from './browser.ts';
import { loggedIn, seen, serve } from './server.ts';

const { longRun } = (await import(new URL('../../bench/page.mjs', import.meta.url).href)) as {
  readonly longRun: (folder: string, size: { readonly iterations: number; readonly items: number }) => string;
};
const RUN = '2026-01-08-long';

/** How long after its address was entered the heading of a view was there, by the page's own clock. */
async function opened(page: Page, address: string): Promise<number> {
  await page.goto('about:blank');
  await page.goto(address, { waitUntil: 'commit' });
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForFunction(() => document.querySelectorAll('.tape a, .tape canvas').length > 0);
  return await page.evaluate(() => performance.now());
}

describe.skipIf(executable === undefined)('large runs', () => {
  const browser = executable === undefined ? undefined : openBrowser();
  afterAll(async () => await (await browser)?.close());
  beforeAll(async () => await browser);

  test('10,000 iterations and 5,000 items: usable after a second, and a list that is never all in the document', async () => {
    const repo = makeRepo({ plan: { userStories: [] } });
    longRun(repo.root, { iterations: 10_000, items: 5_000 });
    const served = await serve(repo);
    const open = await browser;
    if (!open) throw new Error('no browser');
    const { page, trouble } = await openPage(open, await loggedIn(open, served));
    const times: Record<string, number> = {};
    for (const view of ['now', 'plan', 'timeline', 'costs', 'iteration/5000']) {
      times[view] = Math.round(await opened(page, `${served.origin}/#/run/${RUN}/${view}`));
    }
    console.log(`milliseconds from the address to the view, 10,000 iterations: ${JSON.stringify(times)}`);
    // What is promised for a quiet machine is a second; a busy one must not make this red.
    expect(times['now']).toBeLessThan(5_000);
    await page.goto(`${served.origin}/#/run/${RUN}/plan`);
    await expect
      .poll(() => page.locator('table[aria-label="Items"]').getAttribute('aria-rowcount'), { timeout: 20_000 })
      .toBe('5001');
    expect(await page.locator('table[aria-label="Items"] tbody tr').count()).toBeLessThan(200);
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight / 2));
    await expect.poll(() => page.locator('table[aria-label="Items"] tbody tr[aria-rowindex="2500"]').count()).toBe(1);
    const slowest = await page.evaluate(async () => {
      let [last, worst] = [performance.now(), 0];
      for (let step = 0; step < 60; step += 1) {
        scrollBy(0, 400);
        await new Promise(requestAnimationFrame);
        const at = performance.now();
        worst = Math.max(worst, at - last);
        last = at;
      }
      return worst;
    });
    console.log(`longest frame of 60 while scrolling 5,000 items: ${slowest.toFixed(0)} ms`);
    expect(slowest).toBeLessThan(1_000);
    expect(trouble).toEqual([]);
    await served.stop();
  });

  test('a report of 200 items is below a megabyte', async () => {
    const repo = makeRepo({ plan: { userStories: [] } });
    longRun(repo.root, { iterations: 260, items: 200 });
    const file = join(repo.outside, 'report.html');
    mkdirSync(repo.outside, { recursive: true });
    expect(await repo.ralph(['report', '--html', file, '--run', RUN])).toMatchObject({ code: 0, stderr: '' });
    expect(statSync(file).size).toBeLessThan(1_000_000);
    const open = await browser;
    if (!open) throw new Error('no browser');
    const { page, trouble } = await openPage(open);
    await page.goto(`${pathToFileURL(file).href}#/run/${RUN}/plan`);
    await expect.poll(() => seen(page), { timeout: 20_000 }).toContain('All 200');
    expect(trouble).toEqual([]);
  });
});
