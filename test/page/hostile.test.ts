/** Text of agents, plans, files and gates is text on the page, whatever stands in it: nothing of it is ever run. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { makeRepo } from '../support/repo.ts';
import { executable, openBrowser, openPage } from './browser.ts';
import { loggedIn, serve } from './server.ts';

const code = (n: number) => `window.ran=(window.ran||0)+1;console.error('ran ${n}')`;

/** Ways to have a script run, each with a number in it. */
const WAYS: readonly ((js: string) => string)[] = [
  js => `<script>${js}</script>`,
  js => `"><script>${js}</script>`,
  js => `</script><script>${js}</script>`,
  js => `</textarea></title></style><script>${js}</script>`,
  js => `<img src=x onerror="${js}">`,
  js => `'"><img src=x onerror="${js}">`,
  js => `<svg onload="${js}">`,
  js => `<svg><script>${js}</script></svg>`,
  js => `<iframe srcdoc="<script>parent.${js}</script>"></iframe>`,
  js => `<details open ontoggle="${js}">`,
  js => `<a href="javascript:${js}" autofocus onfocus="${js}">x</a>`,
  js => `<style>@import 'data:text/css,*{x:y}'</style><body onload="${js}">`,
  js => `<input autofocus onfocus="${js}">`,
  js => `<math><mtext></form><form><mglyph><style></math><img src onerror="${js}">`,
  js => `javascript:${js}`,
  js => `{{constructor.constructor("${js}")()}}`,
  js => `\`;${js};\``,
  js => `<!--><img src=x onerror="${js}">-->`,
  js => `<template><img src=x onerror="${js}"></template>`,
  js => `]]><script>${js}</script>`,
];
const ITEMS = 10;
let count = 0;
const payload = (): string => {
  const way = WAYS[count % WAYS.length];
  count += 1;
  return way?.(code(count)) ?? '';
};
/** A path cannot hold a slash, and not everything is a name. */
const fileName = (): string => `${payload().replaceAll('/', '∕').slice(0, 150)}.txt`;

describe.skipIf(executable === undefined)('hostile text', () => {
  test('200 payloads in titles, criteria, steps, files, gates and messages: none is run, and the policy has nothing to refuse', async () => {
    const ids = Array.from({ length: ITEMS }, (_, index) => `X-${index}`);
    const items = Object.fromEntries(
      ids.map((id, index) => [
        id,
        [
          {
            steps: [
              ...Array.from({ length: 5 }, () => ({ say: payload() })),
              ...Array.from({ length: 4 }, () => ({ tool: { name: payload().slice(0, 60), detail: payload() } })),
              { write: { path: fileName(), text: `${payload()}\n` } },
              { write: { path: 'said.txt', text: `${payload()}\n` } },
            ],
            message: `${payload()} <lesson kind="fact">${payload()} in \`src/x.js\` is so.</lesson>`,
            ...(index % 3 === 2 ? { claim: { blocked: payload() } } : {}),
          },
        ],
      ]),
    );
    const stories = ids.map((id, index) => ({
      id,
      title: payload(),
      passes: false,
      dependsOn: index % 3 === 1 ? [ids[index - 1]] : [],
      description: payload(),
      acceptanceCriteria: [payload()],
    }));
    expect(count).toBeGreaterThanOrEqual(200);
    const repo = makeRepo({
      plan: { branchName: 'hostile', userStories: stories },
      scenario: { items },
      // The gate prints what the agent wrote; every other one is red.
      config: {
        gates: [{ name: payload().slice(0, 50), run: 'cat said.txt; ls; test $(ls | wc -l) -lt 9' }],
        limits: { attempts: 1, fruitless: 50 },
        baseline: 'any',
      },
    });
    await repo.ralph(['run']);
    const [run = ''] = repo.runs();
    const tried = repo.journal().filter(({ type }) => type === 'verdict').length;
    expect(tried).toBeGreaterThanOrEqual(ITEMS / 2);
    const browser = await openBrowser();
    const served = await serve(repo);
    const { page, trouble } = await openPage(browser, await loggedIn(browser, served));
    const asked: string[] = [];
    page.on('request', request => asked.push(request.url()));
    const views = [
      'now',
      'plan',
      ...ids.map(id => `plan?item=${id}`),
      'timeline',
      'costs',
      ...Array.from({ length: tried }, (_, index) => `iteration/${index + 1}`),
    ];
    await lookAt(page, `${served.origin}/`, [
      ...views.map(view => `#/run/${run}/${view}`),
      '#/morning',
      '#/lessons',
      '#/archives',
      '#/search?q=ran',
      `#/search?q=${encodeURIComponent('<script>')}`,
    ]);
    expect(asked.filter(url => !url.startsWith(served.origin))).toEqual([]);
    const file = join(repo.outside, 'report.html');
    expect((await repo.ralph(['report', '--html', file])).code).toBe(0);
    await lookAt(
      page,
      pathToFileURL(file).href,
      views.map(view => `#/run/${run}/${view}`),
    );
    expect(trouble).toEqual([]);
    await browser.close();
    await served.stop();
  });
});

async function lookAt(page: Page, at: string, hashes: readonly string[]): Promise<void> {
  for (const hash of hashes) {
    await page.goto(`${at}${hash}`);
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await page.evaluate(() => new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn))));
    for (const summary of await page.locator('summary').all()) await summary.click();
    expect(await page.evaluate(() => (window as { ran?: number }).ran ?? 0)).toBe(0);
    expect(await page.locator('iframe, main script, main style, main img').count()).toBe(0);
  }
}
