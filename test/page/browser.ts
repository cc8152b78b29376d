/** Debian's Chromium, driven by playwright-core. Where there is none the tests of the page are skipped, and say so. */
import { existsSync } from 'node:fs';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

const PLACES = [
  process.env.RALPH_CHROMIUM ?? '',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];
export const executable = PLACES.find(path => path !== '' && existsSync(path));

if (executable === undefined)
  console.warn('SKIPPED: no Chromium here, so nothing of the page is tested. apt-get install chromium');

export async function openBrowser(...more: readonly string[]): Promise<Browser> {
  return await chromium.launch({
    executablePath: executable ?? '',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--disable-extensions',
      '--force-color-profile=srgb',
      ...more,
    ],
  });
}

export interface Opened {
  readonly page: Page;
  /** Errors of scripts, requests that went out, and refusals by the policy. */
  readonly trouble: string[];
}

export async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<Opened> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    locale: 'en',
    timezoneId: 'UTC',
    ...options,
  });
  const page = await context.newPage();
  const trouble: string[] = [];
  page.on('pageerror', error => trouble.push(`error: ${error.message}`));
  page.on('console', message => {
    if (message.type() === 'error' || /Content Security Policy/.test(message.text())) trouble.push(message.text());
  });
  return { page, trouble };
}
