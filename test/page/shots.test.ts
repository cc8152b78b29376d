/** Pictures of the seven main views for docs/page: `npm run shots` makes them again. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { executable, openBrowser } from './browser.ts';
import { finishedRun, liveRun } from './scene.ts';
import { loggedIn, seen, serve, visit } from './server.ts';

const folder = fileURLToPath(new URL('../../docs/page/', import.meta.url));
const SIZES = [
  ['desktop', 1440, 900],
  ['phone', 375, 812],
] as const;

describe.skipIf(executable === undefined || !process.env.RALPH_WRITE_SHOTS)('pictures', () => {
  test('seven views, light and dark, desktop and phone', { timeout: 600_000 }, async () => {
    const repo = await finishedRun();
    const [done = ''] = repo.runs();
    const browser = await openBrowser();
    const served = await serve(repo);
    const state = await loggedIn(browser, served);
    mkdirSync(folder, { recursive: true });
    const views = [
      ['now', '#/now', 'Edit test/scan.test.js'],
      ['plan', `#/run/${done}/plan`, 'FIX-1'],
      ['timeline', `#/run/${done}/timeline`, 'What did not go through'],
      ['iteration', `#/run/${done}/iteration/3`, 'guard, blocks the attempt'],
      ['costs', `#/run/${done}/costs`, 'Where the money went'],
      ['morning', '#/morning', 'ralph/ferry-booking'],
      ['lessons', '#/lessons', 'whole cents'],
    ] as const;
    const shoot = async (names: readonly string[]) => {
      for (const [size, width, height] of SIZES) {
        for (const colorScheme of ['light', 'dark'] as const) {
          for (const [name, hash, word] of views.filter(([each]) => names.includes(each))) {
            const { page } = await visit(browser, served, hash, {
              ...state,
              viewport: { width, height },
              colorScheme,
              deviceScaleFactor: 1,
            });
            await expect.poll(() => seen(page), { timeout: 60_000 }).toContain(word);
            await page.evaluate(() => {
              const ending = document
                .getAnimations()
                .filter(each => each.effect?.getComputedTiming().endTime !== Infinity);
              return Promise.allSettled(ending.map(({ finished }) => finished)).then(() => undefined);
            });
            writeFileSync(`${folder}${name}-${size}-${colorScheme}.webp`, await picture(page));
            await page.context().close();
          }
        }
      }
    };
    await shoot(['plan', 'timeline', 'iteration', 'costs', 'lessons']);
    const run = liveRun(repo);
    await shoot(['now', 'morning']);
    await browser.close();
    await served.stop();
    repo.write('../outside/go', '');
    await run.ended;
  });
});

/** WebP, which the browser writes and playwright does not ask for. */
async function picture(page: Page): Promise<Buffer> {
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 66 });
  return Buffer.from(data, 'base64');
}
