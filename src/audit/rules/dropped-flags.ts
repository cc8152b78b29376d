/** Flags that made a compiler or a linter strict, and that are nowhere in their file any more. */
import type { LookFile } from '../look.ts';
import { linesWith } from '../matches.ts';
import { type Found, quote } from './rule.ts';

const FLAG =
  /-Werror\b|-Wall\b|-Wextra\b|-D[ =]?warnings|--deny[ =-]warnings|--strict\b|-Xlint:all|--fail-on-warnings?|--warnings-as-errors|--no-allow-empty|--error-on-warnings|-race\b|--strict-(?:markers|config)\b|-W[ =]?error\b/g;

const CALLS = /\b(?:make|just|task|mage|nox|tox|gotestsum|(?:npm|pnpm|yarn|bun)(?: run)?)\s+[\w:-]+/;

export function lostFlags(file: LookFile): readonly Found[] {
  const lines = linesWith(file.removed, FLAG);
  const isCalled = lines.length > 0 && file.added.some(({ code }) => CALLS.test(code));
  return lines.flatMap(line => {
    // Whoever calls another program instead has to look there.
    if (isCalled && !CALLS.test(line.code)) return [];
    const flags = [...new Set(line.code.match(FLAG) ?? [])].filter(flag => !file.after.code.includes(flag));
    return flags.map(flag => ({
      message: `the flag ${quote(flag)} was taken away`,
      path: file.path,
      line: line.number,
    }));
  });
}
