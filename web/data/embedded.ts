/** The data of a report: compressed JSON, in an element of the document that is never executed. */
import type { ReportBundle } from '../../src/view/index.ts';

export async function embedded(): Promise<ReportBundle | undefined> {
  const text = document.getElementById('report')?.textContent;
  if (!text) return undefined;
  const bytes = Uint8Array.from(atob(text.trim()), character => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return JSON.parse(await new Response(stream).text()) as ReportBundle;
}
