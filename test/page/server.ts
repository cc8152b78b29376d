/** `ralph serve`, and a browser that has used its address. */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { Running } from '../support/cli.ts';
import type { Repo } from '../support/repo.ts';
import { until } from '../support/until.ts';
import { type Opened, openPage } from './browser.ts';

export interface Served {
  readonly origin: string;
  /** The address that works once. */
  readonly login: string;
  readonly process: Running;
  stop(): Promise<void>;
}

/** A port that nobody had a moment ago. */
async function freePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return String(port);
}

interface ServeOptions {
  readonly port?: string;
  readonly flags?: readonly string[];
}

export async function serve(repo: Repo, { port, flags = [] }: ServeOptions = {}): Promise<Served> {
  const process = repo.start(['serve', '--port', port ?? (await freePort()), ...flags]);
  let [said, wrong] = ['', ''];
  process.child.stdout?.on('data', (chunk: Buffer) => (said += chunk.toString('utf8')));
  process.child.stderr?.on('data', (chunk: Buffer) => (wrong += chunk.toString('utf8')));
  let over = false;
  void process.ended.then(() => (over = true));
  await until(() => over || /http:\/\/\S+\n/.test(said));
  if (over) throw new Error(`ralph serve ended: ${wrong}`);
  const [login = ''] = /http:\/\/\S+/.exec(said) ?? [];
  return {
    origin: new URL(login).origin,
    login,
    process,
    stop: async () => {
      process.child.kill('SIGTERM');
      await process.ended;
    },
  };
}

/** The cookie of a browser that went through the address once. */
export async function loggedIn(browser: Browser, served: Served): Promise<BrowserContextOptions> {
  const { page } = await openPage(browser);
  await page.goto(served.login);
  await page.getByRole('heading', { level: 1 }).waitFor();
  const storageState = await page.context().storageState();
  await page.context().close();
  return { storageState };
}

export async function visit(
  browser: Browser,
  served: Served,
  hash: string,
  options: BrowserContextOptions,
): Promise<Opened> {
  const opened = await openPage(browser, options);
  await opened.page.goto(`${served.origin}/${hash}`);
  await opened.page.getByRole('heading', { level: 1 }).waitFor();
  return opened;
}

/** All a reader sees of the view, in lines. */
export const seen = async (page: Page): Promise<string> => await page.locator('main').innerText();

export const sideways = async (page: Page): Promise<number> =>
  await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
