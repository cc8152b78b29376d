/** Flags that made a compiler or a linter strict, and that are nowhere in their file any more. */
import type { LookFile } from '../look.ts';
import { type Found, quote } from './rule.ts';

const FLAG =
  /-Werror\b|-Wall\b|-Wextra\b|-D[ =]?warnings|--deny[ =-]warnings|--strict\b|-Xlint:all|--fail-on-warnings?|--warnings-as-errors|--no-allow-empty|--error-on-warnings|-race\b|--strict-(?:markers|config)\b|-W[ =]?error\b/g;

const CALLS = /\b(?:make|just|task|mage|nox|tox|gotestsum|(?:npm|pnpm|yarn|bun)(?: run)?)\s+[\w:-]+/;

export const lostFlags = (file: LookFile): readonly Found[] =>
  file.removed.flatMap(line => {
    // Whoever calls another program instead has to look there.
    if (file.added.some(({ code }) => CALLS.test(code)) && !CALLS.test(line.code)) return [];
    const flags = [...new Set(line.code.match(FLAG) ?? [])].filter(flag => !file.after.code.includes(flag));
    return flags.map(flag => ({
      message: `the flag ${quote(flag)} was taken away`,
      path: file.path,
      line: line.number,
    }));
  });
