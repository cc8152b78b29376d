/** Runs of other kinds, and what is not a run at all: each looks like what it is. One repository, one server, one browser. */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Running } from '../support/cli.ts';
import { makeRepo, type Repo } from '../support/repo.ts';
import { violations } from './axe.ts';
import { executable, openBrowser, openPage } from './browser.ts';
import { damage, kindsOfRuns, manyWorkers } from './kinds.ts';
import { loggedIn, type Served, seen, serve, sideways, visit } from './server.ts';

/** The cells of a table as a reader sees them, row by row. */
const cellsOf = async (page: Page, region: string): Promise<readonly (readonly string[])[]> =>
  await page
    .getByRole('region', { name: region })
    .locator('tr')
    .evaluateAll(rows =>
      rows.map(row => [...row.children].map(cell => (cell as HTMLElement).innerText.replaceAll(/\s+/g, ' ').trim())),
    );

describe.skipIf(executable === undefined)('other kinds of runs', () => {
  let repo: Repo;
  let browser: Browser;
  let served: Served;
  let state: BrowserContextOptions;
  let runs: Readonly<Record<'sprint' | 'groups' | 'damaged', string>>;
  beforeAll(async () => {
    [repo, browser] = await Promise.all([kindsOfRuns(), openBrowser()]);
    const [sprint = '', groups = '', one = ''] = repo.runs();
    runs = { sprint, groups, damaged: damage(repo, one) };
    served = await serve(repo);
    state = await loggedIn(browser, served);
  });
  afterAll(async () => {
    await browser?.close();
    await served?.stop();
  });

  /** What is said, no violation, and nothing that stands out on a phone or a wide screen. */
  async function look(hash: string, words: readonly (string | RegExp)[]): Promise<Page> {
    const { page, trouble } = await visit(browser, served, hash, state);
    for (const word of words) await expect.poll(() => seen(page), { timeout: 20_000 }).toMatch(word);
    expect(await violations(page)).toEqual([]);
    for (const width of [375, 2560, 1280]) {
      await page.setViewportSize({ width, height: 812 });
      expect(await sideways(page)).toBeLessThanOrEqual(0);
    }
    expect(trouble).toEqual([]);
    return page;
  }

  test('a sprint: phases in their order, and a table of steps where one is done for each step', async () => {
    const page = await look(`#/run/${runs.sprint}/plan`, [
      '8 of 11 proven, 2 to go, 1 blocked, 2 stuck behind development/holidays/implement.',
      '7 of 9 proven',
    ]);
    const heads = await page.locator('main article > header h2').allInnerTexts();
    expect(heads.slice(0, 3)).toEqual([
      '1. prepare Prepare timetable',
      '2. development',
      '3. release Write the notes of the release',
    ]);
    const [head, ...steps] = await cellsOf(page, 'Steps of development');
    expect(head).toEqual(['Step', 'plan', 'implement', 'verify']);
    expect(steps.map(([name]) => name)).toEqual([
      'Read the timetable of a harbour read',
      'Show delays beside the planned time delays',
      'Leave out crossings on holidays holidays',
    ]);
    expect(steps[2]?.slice(2)).toEqual([expect.stringMatching(/ blocked$/), expect.stringMatching(/ waits$/)]);
    // The attempt that was refused is in its cell.
    const tried = page.getByRole('button', { name: /^development\/delays\/implement / });
    expect(await tried.getByRole('img').first().getAttribute('aria-label')).toBe('refused, accepted');
    await page.getByRole('button', { name: /^development\/holidays\/implement / }).click();
    await expect.poll(() => seen(page)).toContain('nobody says which holidays count');
    await page.context().close();
  });

  test('groups: numbered, each with how it stands', async () => {
    const page = await look(`#/run/${runs.groups}/plan`, ['4 of 5 proven, 1 blocked.', 'by number; 4 of 5 proven']);
    const groups = await page.locator('ol.groups > li').allInnerTexts();
    expect(groups.map(text => text.replaceAll(/\s+/g, ' '))).toEqual([
      expect.stringMatching(/^1 .*Ports and crossings proven/),
      expect.stringMatching(/^2 .*Fares by season proven/),
      expect.stringMatching(/^3 .*Seats and cabins proven/),
      expect.stringMatching(/^4 .*Payment by card blocked no key for the payment service/),
      expect.stringMatching(/^5 .*Receipts by mail proven/),
    ]);
    expect(await page.getByRole('img', { name: 'refused, accepted' }).count()).toBeGreaterThan(0);
    await page.context().close();
  });

  test('the timeline with a line for each iteration: in order, each bar where its time is', async () => {
    const page = await look(`#/run/${runs.groups}/timeline`, ['6 iterations in']);
    await page.getByRole('button', { name: 'A line per iteration' }).click();
    const rows = page.locator('.rowmode a.g');
    await expect.poll(() => rows.count()).toBe(6);
    expect((await rows.allInnerTexts()).map(text => text.replaceAll(/\s+/g, ' ').trim())).toEqual([
      expect.stringMatching(/^1 .*1 Ports and crossings/),
      expect.stringMatching(/^2 .*2 Fares by season/),
      expect.stringMatching(/^3 .*2 ×2 Fares by season/),
      expect.stringMatching(/^4 .*3 Seats and cabins/),
      expect.stringMatching(/^5 .*4 Payment by card/),
      expect.stringMatching(/^6 .*5 Receipts by mail/),
    ]);
    const lefts = await page
      .locator('.rowmode .bar2')
      .evaluateAll(bars => bars.map(bar => bar.getBoundingClientRect().left));
    expect(lefts).toEqual(lefts.toSorted((a, b) => a - b));
    expect(new Set(lefts).size).toBeGreaterThan(3);
    expect(await violations(page)).toEqual([]);
    await page.setViewportSize({ width: 375, height: 812 });
    expect(await sideways(page)).toBeLessThanOrEqual(0);
    const apart = await rows.evaluateAll(all =>
      all.map(row => {
        const top = (part: string) => row.querySelector(part)?.getBoundingClientRect().top ?? 0;
        return Math.round(top('.lane') - top('.lab'));
      }),
    );
    expect(apart).toEqual([0, 0, 0, 0, 0, 0]);
    await rows.nth(1).click();
    await expect.poll(() => page.url()).toContain('/iteration/2');
    await page.context().close();
  });

  test('a damaged journal: where it breaks, what could be read, and the command that gets it out of the way', async () => {
    const page = await look(`#/run/${runs.damaged}/now`, [
      /The journal of this run is damaged in line \d+; what precedes it is shown/,
      'Damaged journal',
      `mv .ralph/runs/${runs.damaged} .ralph/${runs.damaged}.damaged`,
      '1 iteration',
    ]);
    const banner = await page.locator('.banner').innerText();
    expect(banner).toMatch(new RegExp(`^\\.ralph/runs/${runs.damaged}/journal\\.jsonl:\\d+: the journal is damaged`));
    // It cannot go on, so nothing says that it can.
    expect(await seen(page)).not.toContain('ralph run');
    const views = { plan: 'D-1', timeline: '1 iteration in', costs: 'iterations per item', 'iteration/1': 'D-1' };
    for (const [view, words] of Object.entries(views)) {
      await page.goto(`${served.origin}/#/run/${runs.damaged}/${view}`);
      await expect.poll(() => seen(page), { message: view }).toContain(words);
    }
    await page.context().close();
  });

  describe('several workers', () => {
    let run: Running;
    beforeAll(() => {
      run = manyWorkers(repo);
    });
    afterAll(async () => {
      repo.write('../outside/land', '');
      await run.ended;
    });

    test('each has a card of its own, and they share one timeline', async () => {
      const { page, trouble } = await visit(browser, served, '#/now', state);
      await expect.poll(() => seen(page), { timeout: 60_000 }).toMatch(/3 agents at work: W-[ABC], W-[ABC], W-[ABC]/);
      for (const letter of ['A', 'B', 'C'])
        await expect
          .poll(() => seen(page), { timeout: 20_000 })
          .toContain(`Harbour ${letter}: its own departures board`);
      await expect.poll(() => page.getByText('I will read the board of this harbour first.').count()).toBe(3);
      for (const worker of [1, 2, 3]) expect(await seen(page)).toContain(`worker ${worker}`);
      expect(await violations(page)).toEqual([]);
      for (const width of [375, 2560]) {
        await page.setViewportSize({ width, height: 812 });
        expect(await sideways(page)).toBeLessThanOrEqual(0);
      }
      repo.write('../outside/land', '');
      await expect.poll(() => seen(page), { timeout: 60_000 }).toContain('Complete: 5 of 5 items proven');
      const id = /#\/run\/([^/]+)/.exec((await page.locator('.nav a').first().getAttribute('href')) ?? '')?.[1] ?? '';
      await page.goto(`${served.origin}/#/run/${id}/timeline`);
      // A line of its own for each worker, so that bars of the same time do not lie on each other.
      await expect.poll(() => page.locator('.hour').count()).toBeGreaterThanOrEqual(3);
      expect(await overlaps(page)).toEqual([]);
      expect(trouble).toEqual([]);
      await page.context().close();
    });
  });

  test('a folder without runs, then its first run', async () => {
    const empty = makeRepo({
      plan: { userStories: [{ id: 'E-1', title: 'The first', passes: false }] },
      scenario: { items: { '*': { steps: [{ write: { path: 'one.txt', text: '1\n' } }] } } },
      config: { gates: ['true'] },
    });
    const here = await serve(empty);
    const { page, trouble } = await visit(browser, here, '', await loggedIn(browser, here));
    await expect.poll(() => seen(page)).toMatch(/No run here yet[\s\S]*ralph run/);
    expect(await violations(page)).toEqual([]);
    for (const [hash, words] of [
      ['#/morning', 'No branch since yesterday'],
      ['#/lessons', 'No lesson yet'],
      ['#/archives', 'Nothing is archived yet'],
      ['#/search?q=x', 'No matches.'],
    ] as const) {
      await page.goto(`${here.origin}/${hash}`);
      await expect.poll(() => seen(page)).toContain(words);
    }
    await page.goto(`${here.origin}/#/now`);
    expect((await empty.ralph(['run'])).code).toBe(0);
    await expect.poll(() => seen(page), { timeout: 20_000 }).toContain('Complete: 1 of 1 item proven');
    expect(trouble).toEqual([]);
    await page.context().close();
    await here.stop();
  });

  test('a browser without scripts is told what to type', async () => {
    const { page } = await openPage(browser, { ...state, javaScriptEnabled: false });
    await page.goto(`${served.origin}/`);
    const text = await page.locator('body').innerText();
    expect(text).toMatch(/needs scripts/);
    expect(text).toContain('ralph status');
    expect(text).toContain('ralph report');
    await page.context().close();
  });
});

/** Bars that lie on each other. */
const overlaps = async (page: Page): Promise<readonly string[]> =>
  await page.locator('.blk').evaluateAll(blocks => {
    const boxes = blocks.map(block => ({
      box: block.querySelector('.bar3')?.getBoundingClientRect(),
      name: block.textContent,
    }));
    return boxes.flatMap(({ box: a, name }, index) =>
      boxes
        .slice(index + 1)
        .flatMap(({ box: b, name: other }) =>
          a && b && a.left + 1 < b.right && b.left + 1 < a.right && a.top + 1 < b.bottom && b.top + 1 < a.bottom
            ? [`${name} on ${other}`]
            : [],
        ),
    );
  });
