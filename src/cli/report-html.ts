/** `ralph report --html FILE`: the run as one file that opens from disk. */

import { resolve } from 'node:path';
import { reportHtml } from '../page/index.ts';
import type { Project } from '../start/index.ts';
import { writeWhole } from '../util/files.ts';
import { errorText } from '../util/result.ts';
import { noSuchRun, openLibrary, reportBundle } from '../view/index.ts';
import type { CurrentRun } from './current-run.ts';
import { complain, printOnce } from './print.ts';

declare const __VERSION__: string;

/** In characters of JSON. Compressed and in base64 they become a third of that: below a megabyte with the page. */
const MOST = 1_800_000;

export async function writeReport(
  { project, state }: CurrentRun & { readonly project: Project },
  file: string,
): Promise<number> {
  const library = openLibrary(project);
  const located = library.find(state.run);
  if (!located) return complain(noSuchRun(state.run), 1);
  const bundle = await reportBundle(library, library.look(located), { version: __VERSION__, most: MOST });
  const html = reportHtml(bundle);
  if (!html.ok) return complain(html.error, 1);
  const path = resolve(file);
  try {
    writeWhole(path, html.value);
  } catch (error) {
    return complain(
      {
        reason: 'not-written',
        message: `the report cannot be written to ${path}: ${errorText(error)}`,
        hint: 'Name a file in an existing folder: ralph report --html report.html',
      },
      1,
    );
  }
  const left =
    bundle.leftOut > 0 ? `; the oldest ${bundle.leftOut} iterations did not fit, ralph serve shows them` : '';
  printOnce(`${path}: ${Math.ceil(html.value.length / 1000)} kB, opens in any browser${left}`);
  return 0;
}
