/** The JUnit file that a gate's own command names, if the gate has just written it. */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { readText } from '../util/files.ts';

const NAMED =
  /(?:--junit-?xml|--outputFile(?:\.\w+)?|--test-reporter-destination|--junitfile|--output-file|--log-junit)[= ]["']?([^\s"']+\.xml)\b/i;
const MOST_BYTES = 8 * 1024 * 1024;

export function junitReport(
  command: string,
  { folder, since }: { readonly folder: string; readonly since: number },
): string | undefined {
  const named = NAMED.exec(command)?.[1];
  if (named === undefined) return undefined;
  const path = resolve(folder, named);
  try {
    // One of an earlier run says nothing about this one.
    return statSync(path).mtimeMs < since ? undefined : readText(path, MOST_BYTES);
  } catch {
    return undefined;
  }
}
