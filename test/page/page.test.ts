/** What a person sees in every view of the page: of a finished run, of a live one, and of a report opened from disk. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Running } from '../support/cli.ts';
import type { Repo } from '../support/repo.ts';
import { violations } from './axe.ts';
import { executable, openBrowser, openPage } from './browser.ts';
import { finishedRun, liveRun } from './scene.ts';
import { loggedIn, type Served, seen, serve, sideways, visit } from './server.ts';

describe.skipIf(executable === undefined)('the page', () => {
  let repo: Repo;
  let browser: Browser;
  let served: Served;
  let state: BrowserContextOptions;
  let done: string;
  beforeAll(async () => {
    [repo, browser] = await Promise.all([finishedRun(), openBrowser()]);
    [done = ''] = repo.runs();
    served = await serve(repo);
    state = await loggedIn(browser, served);
  });
  afterAll(async () => {
    await browser?.close();
    await served?.stop();
  });

  const open = async (hash: string, options: BrowserContextOptions = {}) =>
    await visit(browser, served, hash, { ...state, ...options });

  describe('of a run that is over', () => {
    const views: readonly (readonly [string, () => string, readonly (string | RegExp)[]])[] = [
      [
        'now',
        () => `#/run/${done}/now`,
        [
          'FB-05',
          'needs PAY_SANDBOX_KEY',
          'Retry with a hint',
          '6 of 9 items proven',
          'Refund a cancelled crossing',
          /\$2\.\d\d/,
        ],
      ],
      [
        'plan',
        () => `#/run/${done}/plan`,
        ['6 of 9 proven', 'FB-06', 'waits for FB-05', 'reviewed in round 2', 'FIX-1', 'for FB-07'],
      ],
      [
        'one item',
        () => `#/run/${done}/plan?item=FB-03`,
        ['Refund a cancelled crossing, with a test', 'attempt 2', 'exited 1', 'Depends on', 'Needed by'],
      ],
      [
        'timeline',
        () => `#/run/${done}/timeline`,
        [/agents \d+\s%/, '2 of 10 iterations refused', 'usage limit reached', 'What did not go through', 'test-skip'],
      ],
      [
        'a refused attempt',
        () => `#/run/${done}/iteration/3`,
        [
          'Refused:',
          'The agent said: “refund() follows the rules. All tests pass.”',
          'guard, blocks the attempt',
          '"allow": ["test-skip:test/fare.test.js"]',
          'not run: a guard refused',
          'Attempt 3',
          'Get it back',
          'refs/ralph/',
        ],
      ],
      [
        'a red gate',
        () => `#/run/${done}/iteration/4`,
        [
          'Refused:',
          'test red',
          'exit 1',
          'not ok',
          'half of it up to 6 hours before',
          'What the next attempt is told',
        ],
      ],
      [
        'an accepted attempt',
        () => `#/run/${done}/iteration/5`,
        ['Accepted:', 'did not load (weak)', 'not caught', 'Proof', 'git show', 'The whole brief'],
      ],
      [
        'costs',
        () => `#/run/${done}/costs`,
        [
          /\$2\.\d\d for 6 proven items/,
          'on work that was refused',
          'One growing session would have read',
          'Where the money went',
        ],
      ],
      ['morning', () => '#/morning', ['ralph/ferry-booking', 'Look here first', 'ralph retry FB-05', 'Go through it']],
      ['lessons', () => '#/lessons', ['src/fare.js', 'whole cents', 'Won and lost', /\d won, \d lost/]],
      ['archives', () => '#/archives', ['archived run', 'ferry']],
      ['search', () => '#/search?q=refund', ['for “refund”', 'Refund a cancelled crossing']],
    ];

    test.each(views)(
      '%s: what is said, without violation, at 375 and 2,560 px, light and dark',
      async (_, hash, words) => {
        const { page, trouble } = await open(hash());
        for (const word of words) await expect.poll(() => seen(page), { timeout: 20_000 }).toMatch(word);
        expect(await violations(page)).toEqual([]);
        await page.emulateMedia({ colorScheme: 'dark' });
        expect(await violations(page)).toEqual([]);
        for (const width of [375, 2560]) {
          await page.setViewportSize({ width, height: 812 });
          expect(await sideways(page)).toBeLessThanOrEqual(0);
        }
        expect(trouble).toEqual([]);
        await page.context().close();
      },
    );

    test('by keys alone: views, rows, attempts, findings, help', async () => {
      const { page, trouble } = await open(`#/run/${done}/now`);
      const heading = page.getByRole('heading', { level: 1 });
      await page.keyboard.press('g');
      await page.keyboard.press('t');
      await expect.poll(() => page.url()).toContain('/timeline');
      await expect.poll(() => seen(page)).toContain('What did not go through');
      for (const key of ['j', 'j', 'j', 'Enter']) await page.keyboard.press(key);
      await expect.poll(() => page.url()).toContain('/iteration/4');
      await expect.poll(() => heading.innerText()).toContain('Refused:');
      await page.keyboard.press('[');
      await expect.poll(() => page.url()).toContain('/iteration/3');
      await expect.poll(() => heading.innerText()).toContain('test-skip');
      await page.keyboard.press('e');
      await expect
        .poll(() => page.evaluate(() => document.activeElement?.getAttribute('data-finding')))
        .toBe('test-skip');
      await page.keyboard.press('?');
      await expect.poll(() => page.getByRole('dialog').innerText()).toContain('Next finding');
      expect(await violations(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
      await page.keyboard.press('Control+k');
      await page.keyboard.type('lessons');
      await page.keyboard.press('Enter');
      await expect.poll(() => page.url()).toContain('#/lessons');
      await page.keyboard.press('/');
      await expect
        .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
        .toBe('Words to find');
      // In a field a letter is a letter.
      await page.keyboard.type('gp');
      expect(page.url()).toContain('#/search');
      expect(trouble).toEqual([]);
      await page.context().close();
    });

    test('the diff in two columns: old beside new, chosen once, and one column where there is no room', async () => {
      const { page, trouble } = await open(`#/run/${done}/iteration/3`);
      const diff = page.getByRole('region', { name: 'Diff of test/fare.test.js' });
      await diff.waitFor();
      expect(await diff.locator('table.two').count()).toBe(0);
      await page.keyboard.press('d');
      await expect.poll(() => diff.locator('table.two').count()).toBe(1);
      const changed = await diff
        .locator('tr', { has: page.locator('td.del') })
        .evaluateAll(rows => rows.map(row => [...row.children].map(cell => (cell as HTMLElement).innerText.trim())));
      expect(changed).toEqual([
        [
          '5',
          '−',
          "test('a car in the high season', () => {",
          '5',
          '+',
          "test.skip('a car in the high season', () => {",
        ],
      ]);
      // The finding stays under its line, and both columns are equally wide.
      expect(await diff.locator('tr.at + tr.note').innerText()).toContain('guard, blocks the attempt');
      const [left = 0, right = 0] = await diff
        .locator('td.del.code, td.add.code')
        .evaluateAll(cells => cells.map(cell => cell.getBoundingClientRect().width));
      expect(Math.abs(left - right)).toBeLessThan(4);
      // A file that is new has nothing beside it.
      const added = page.getByRole('region', { name: 'Diff of src/refund.js' });
      expect(await added.locator('table.two').count()).toBe(0);
      expect(await violations(page)).toEqual([]);
      await page.reload();
      await expect.poll(() => diff.locator('table.two').count()).toBe(1);
      await page.setViewportSize({ width: 375, height: 812 });
      await expect.poll(() => diff.locator('table.two').count()).toBe(0);
      expect(await page.getByRole('group', { name: 'Diff' }).count()).toBe(0);
      expect(trouble).toEqual([]);
      await page.context().close();
      // A wide screen begins with two.
      const wide = await open(`#/run/${done}/iteration/3`, { viewport: { width: 2560, height: 1300 } });
      await expect.poll(() => wide.page.locator('table.two').count()).toBe(1);
      await wide.page.context().close();
    });

    test('the tape is one stop of the tab key, and the arrows move in it', async () => {
      const { page } = await open(`#/run/${done}/iteration/3`);
      const tape = page.getByRole('navigation', { name: 'All iterations of this run' });
      await tape.locator('a').first().waitFor();
      expect(await tape.locator('a[tabindex="0"]').count()).toBe(1);
      await tape.locator('a[tabindex="0"]').focus();
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('Enter');
      await expect.poll(() => page.url()).toContain('/iteration/4');
      await page.context().close();
    });
  });

  test('a report: one file, from disk, every view, nothing asked of a network', async () => {
    const file = join(repo.outside, 'report.html');
    const made = await repo.ralph(['report', '--html', file, '--run', done]);
    expect(made).toMatchObject({ code: 0, stderr: '' });
    expect(statSync(file).size).toBeLessThan(1_000_000);
    const { page, trouble } = await openPage(browser);
    const asked: string[] = [];
    page.on('request', request => asked.push(request.url()));
    const address = pathToFileURL(file).href;
    for (const [hash, word] of [
      ['now', 'needs PAY_SANDBOX_KEY'],
      ['plan', 'waits for FB-05'],
      ['timeline', 'What did not go through'],
      ['costs', 'Where the money went'],
      ['iteration/3', 'guard, blocks the attempt'],
    ]) {
      await page.goto(`${address}#/run/${done}/${hash}`);
      await expect.poll(() => seen(page), { timeout: 20_000 }).toContain(word);
      expect(await violations(page)).toEqual([]);
    }
    expect(
      asked.filter(url => !url.startsWith('file:') && !url.startsWith('data:') && !url.startsWith('blob:')),
    ).toEqual([]);
    expect(trouble).toEqual([]);
    await page.context().close();
  });

  describe('of a live run', () => {
    let run: Running;
    beforeAll(() => {
      run = liveRun(repo);
    });
    afterAll(async () => {
      repo.write('../outside/go', '');
      await run.ended;
    });

    test('a page that is open shows it, its steps, and takes pause and steer', async () => {
      const { page, trouble } = await open('#/now');
      await expect
        .poll(() => seen(page), { timeout: 60_000 })
        .toContain('Working on L-2: Scan a boarding pass at the gate');
      for (const word of [
        'scanned twice must be refused',
        'Edit test/scan.test.js',
        '61k in',
        'attempt 1',
        'Against the limits',
        'L-3',
      ]) {
        await expect.poll(() => seen(page), { timeout: 20_000 }).toContain(word);
      }
      expect(await violations(page)).toEqual([]);
      await page.keyboard.press('s');
      await page.keyboard.type('seats are numbered from 1');
      await page.keyboard.press('Enter');
      const answered = async (words: RegExp) =>
        await expect
          .poll(async () => (await page.getByRole('status').allInnerTexts()).join(' '), { timeout: 60_000 })
          .toMatch(words);
      await answered(/Noted for every brief/);
      await page.keyboard.press('Escape');
      await page.keyboard.press('Shift+P');
      await answered(/pause after the current iteration/);
      await page.keyboard.press('Shift+S');
      await expect.poll(() => page.getByRole('dialog').innerText()).toContain('After this iteration');
      await page.keyboard.press('Escape');
      expect(trouble).toEqual([]);
      await page.context().close();
    });

    test('without its server it says so, keeps what it shows, comes back by itself and has missed nothing', async () => {
      const { page } = await open('#/now');
      await expect.poll(() => seen(page), { timeout: 20_000 }).toContain('L-2');
      const { port } = new URL(served.origin);
      await served.stop();
      await expect.poll(() => page.getByText(/Not connected since/).count(), { timeout: 30_000 }).toBe(1);
      expect(await seen(page)).toContain('Scan a boarding pass at the gate');
      // Meanwhile the run goes on.
      repo.write('../outside/go', '');
      const paused = await repo.ralph(['resume']);
      expect(paused.code).toBe(0);
      await run.ended;
      served = await serve(repo, { port });
      state = await loggedIn(browser, served);
      await page
        .context()
        .addCookies(
          (state.storageState as { cookies: Parameters<ReturnType<Page['context']>['addCookies']>[0] }).cookies,
        );
      await expect.poll(() => page.getByText(/Not connected since/).count(), { timeout: 60_000 }).toBe(0);
      await expect.poll(() => seen(page), { timeout: 20_000 }).toContain('3 of 3 items proven');
      await page.context().close();
    });
  });

  test('without commands: what to type instead', async () => {
    const readonly = await serve(repo, { flags: ['--readonly'] });
    const { page } = await visit(browser, readonly, `#/run/${done}/now`, await loggedIn(browser, readonly));
    await expect.poll(() => seen(page)).toContain('ralph retry FB-05');
    expect(await page.getByRole('button', { name: 'Retry with a hint' }).count()).toBe(0);
    await page.context().close();
    await readonly.stop();
  });
});
