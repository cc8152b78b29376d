/** The built page. It lies beside the bundle, compressed as it is sent. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { type Failure, fail, ok, type Result } from '../util/result.ts';

type PageFile = 'index.html' | 'page.css' | 'page.js';

/** Beside the chunks of the running bundle, or in the build folder when this runs from its sources. */
const PLACES = ['../page/', './page/', '../../dist/page/'];

/** As text; its bytes on disk are gzip. */
export function readPage(name: PageFile): Result<string> {
  const path = PLACES.map(place => fileURLToPath(new URL(`${place}${name}.gz`, import.meta.url))).find(each =>
    existsSync(each),
  );
  return path === undefined ? fail(notBuilt) : ok(gunzipSync(readFileSync(path)).toString('utf8'));
}

const notBuilt: Failure = {
  reason: 'not-found',
  message: 'the page is not beside the program',
  hint: 'Install the program again; in a clone of it: npm run build',
};
