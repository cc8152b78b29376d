/** Another site in the person's own browser, which is signed in: it reads nothing and commands nothing. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { planOf, play, works } from '../loop/scene.ts';
import { makeRepo, type Repo } from '../support/repo.ts';
import { executable, openBrowser } from './browser.ts';
import { loggedIn, type Served, serve } from './server.ts';

describe.skipIf(executable === undefined)('a page of another site', () => {
  let repo: Repo;
  let served: Served;
  let browser: Browser;
  let context: BrowserContext;
  let site: Server;
  let foreign: string;
  let port: string;
  beforeAll(async () => {
    repo = makeRepo({ plan: planOf('US-1'), config: { gates: ['true'] }, scenario: play({ '*': works }) });
    expect((await repo.run()).code).toBe(0);
    served = await serve(repo);
    ({ port } = new URL(served.origin));
    // Names that lead here, as after a rebinding.
    browser = await openBrowser('--host-resolver-rules=MAP *.evil.test 127.0.0.1');
    context = await browser.newContext(await loggedIn(browser, served));
    site = createServer((_, response) => response.setHeader('content-type', 'text/html').end('<h1>elsewhere</h1>'));
    site.listen(0, '127.0.0.1');
    await once(site, 'listening');
    foreign = `http://www.evil.test:${(site.address() as AddressInfo).port}/`;
  });
  afterAll(async () => {
    await browser?.close();
    await served?.stop();
    site?.close();
  });

  test('gets no answer under another name that leads to the same machine', async () => {
    const page = await context.newPage();
    for (const path of ['', 'api/v1/runs', 'api/v1/events']) {
      const answer = await page.goto(`http://rebound.evil.test:${port}/${path}`);
      expect([403, 421], `${path}: ${answer?.status()}`).toContain(answer?.status());
      expect(await answer?.text(), path).not.toContain('US-1');
    }
  });

  test('reads nothing, follows no stream and sends no command', async () => {
    const page = await context.newPage();
    await page.goto(foreign);
    const tried = await page.evaluate(async origin => {
      const [run] = ['any'];
      const answers: Record<string, string> = {};
      const attempt = async (name: string, act: () => Promise<Response>) => {
        answers[name] = await act().then(
          async response => `${response.type} ${response.status} ${(await response.text()).slice(0, 40)}`,
          () => 'refused',
        );
      };
      const command = { method: 'POST', body: JSON.stringify({ type: 'pause' }), credentials: 'include' } as const;
      await attempt('read', () => fetch(`${origin}/api/v1/runs`, { credentials: 'include' }));
      await attempt('blind', () => fetch(`${origin}/api/v1/runs`, { credentials: 'include', mode: 'no-cors' }));
      await attempt('json', () =>
        fetch(`${origin}/api/v1/runs/${run}/commands`, { ...command, headers: { 'content-type': 'application/json' } }),
      );
      await attempt('plain', () => fetch(`${origin}/api/v1/runs/${run}/commands`, { ...command, mode: 'no-cors' }));
      answers.stream = await new Promise(resolve => {
        const stream = new EventSource(`${origin}/api/v1/events`, { withCredentials: true });
        stream.addEventListener('open', () => resolve('open'));
        stream.addEventListener('error', () => resolve('refused'));
      });
      return answers;
    }, served.origin);
    expect(new Set(Object.values(tried))).toEqual(new Set(['refused']));
  });

  test('posts no form, and shows the page in no frame', async () => {
    const page = await context.newPage();
    await page.goto(foreign);
    const posted = page.waitForResponse(response => response.request().method() === 'POST');
    await page.evaluate(origin => {
      document.body.innerHTML = `<form method="post" action="${origin}/api/v1/runs/any/commands"><input name="type" value="stop"></form>`;
      document.querySelector('form')?.submit();
    }, served.origin);
    expect((await posted).status()).toBe(403);
    const other = await context.newPage();
    await other.goto(foreign);
    await other.evaluate(origin => {
      document.body.innerHTML = `<iframe src="${origin}/"></iframe>`;
    }, served.origin);
    const frame = other.frames().find(each => each !== other.mainFrame());
    await frame?.waitForLoadState();
    expect(await frame?.content()).not.toContain('<main');
  });
});
