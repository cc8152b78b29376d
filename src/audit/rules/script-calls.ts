/** What kinds of gates a named script runs, through all the scripts that it calls. */
import { type GateKind, gateKinds, isNothing } from './gate-commands.ts';
import type { Script } from './scripts.ts';

const CALLERS =
  /^(?:npm|pnpm|yarn|bun|run-s|run-p|npm-run-all2?|concurrently|turbo|nx|wireit|make|just|task|lerna|wsrun|node|deno|composer|mise|npx|bunx|\$\(MAKE\))$/;
const OWN: Readonly<Record<string, GateKind>> = {
  test: 'test',
  lint: 'lint',
  typecheck: 'types',
  'type-check': 'types',
};

export type Scripts = ReadonlyMap<string, Script>;

export function reachOf(scripts: Scripts, name: string): ReadonlySet<GateKind> {
  const seen = new Set<string>();
  const kinds = new Set<GateKind>();
  const visit = (one: string): void => {
    const command = scripts.get(one)?.command;
    if (command === undefined || seen.has(one)) return;
    seen.add(one);
    const own = OWN[one];
    // A script called `test` that runs a program of the project's own is a gate, too.
    if (own !== undefined && !isNothing(command)) kinds.add(own);
    for (const part of command.split(/&&|\|\||;|\n|(?<![&>|])&(?![&>\d])/)) {
      const called = callsOf(scripts, part).filter(other => other !== one);
      for (const other of called) visit(other);
      if (called.length === 0) for (const kind of gateKinds(part)) kinds.add(kind);
    }
  };
  visit(name);
  return kinds;
}

/** `npm run lint`, `run-p lint test`, `concurrently npm:lint`, `pnpm run /^lint/`, `make lint test`. */
function callsOf(scripts: Scripts, part: string): readonly string[] {
  const words = part
    .trim()
    .replace(/["'\\]/g, '')
    .split(/\s+/);
  if (!CALLERS.test(words[0] ?? '') && !words[0]?.startsWith('@')) return [];
  return (words[0]?.startsWith('@') ? words : words.slice(1)).flatMap(raw => {
    const word = raw.replace(/^(?:npm|pnpm|yarn|bun|node):/, '').replace(/^@/, '');
    if (scripts.has(word)) return [word];
    if (word === 't' && scripts.has('test')) return ['test'];
    const pattern =
      /^\/(.+)\/$/.exec(word)?.[1] ??
      (word.includes('*') ? `^${word.replace(/[^\w:*-]/g, '.').replace(/\*+/g, '.*')}$` : undefined);
    if (pattern === undefined) return [];
    return [...scripts.keys()].filter(name => matches(pattern, name));
  });
}

function matches(pattern: string, name: string): boolean {
  try {
    return new RegExp(pattern).test(name);
  } catch {
    return false;
  }
}
