/** `allow` entries of an item: the guards a person lifts for it. */
import { ruleIds } from '../protocol.ts';
import { globProblem } from '../util/globs.ts';
import { nearest } from '../util/suggest.ts';

/** Says why an entry such as `test-removed:tests/legacy/**` is invalid, or undefined. */
export function allowProblem(entry: string): string | undefined {
  const colon = entry.indexOf(':');
  const rule = colon < 0 ? entry : entry.slice(0, colon);
  if (!(ruleIds as readonly string[]).includes(rule)) {
    const near = nearest(rule, ruleIds);
    return `allow: there is no guard "${rule}"${near === undefined ? '' : `; did you mean "${near}"?`}`;
  }
  const problem = colon < 0 ? undefined : globProblem(entry.slice(colon + 1));
  return problem === undefined ? undefined : `allow: "${entry}": ${problem}`;
}

/** The entries of an `allow:` line; none if the line is only a sentence that starts with the word "allow". */
export function allowEntries(line: string | undefined): readonly string[] {
  const entries = (line ?? '')
    .replaceAll('`', '')
    .split(/[,\s]+/)
    .filter(Boolean);
  const looksMeant = (entry: string) =>
    /^[a-z]+(?:-[a-z]+)*:\S+$|^[a-z]+(?:-[a-z]+)+$/.test(entry) || (ruleIds as readonly string[]).includes(entry);
  return entries.every(looksMeant) ? entries : [];
}
