/** axe-core in a page that is open. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe-core calls a violation, in words. */
export async function violations(page: Page): Promise<readonly string[]> {
  // The policy of the page forbids a script element; this is evaluated, as a debugger does.
  await page.evaluate(axe);
  return await page.evaluate(async () => {
    const { axe: run } = window as unknown as {
      readonly axe: {
        run(): Promise<{ violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] }>;
      };
    };
    const { violations: found } = await run.run();
    return found.flatMap(({ id, nodes }) =>
      nodes.slice(0, 5).map(node => `${id}: ${node.html.slice(0, 160)} ${node.failureSummary}`),
    );
  });
}
