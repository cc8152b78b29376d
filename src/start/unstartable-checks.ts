/** Checks of items that no shell could start here: found by looking, without running anything. */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { findOnPath } from '../agents/index.ts';
import type { Plan, Problem } from '../protocol.ts';
import { oneLine } from '../util/show.ts';

export interface CheckGround {
  /** Where the checks run. */
  readonly root: string;
  readonly env: NodeJS.ProcessEnv;
}

/** What a shell knows by itself; a command that starts with one of its own signs is not looked into. */
const BUILT_IN = new Set(
  'alias break case cd command continue echo eval exec exit export false for if kill printf pwd read return set shift source test time times trap true type ulimit umask unset until wait while'.split(
    ' ',
  ),
);
const SETTINGS = /^(?:[A-Za-z_]\w*=(?:'[^']*'|"[^"]*"|[^\s'"]*)\s+)*/;
const PROGRAM = /^[\w./+@-]+(?=\s|$|[;&|])/;

/** A warning for each: the item may be what makes it run. */
export function unstartableChecks({ items, path }: Plan, { root, env }: CheckGround): readonly Problem[] {
  const known = new Map<string, boolean>();
  return items.flatMap(({ id, line, status, verify }) => {
    if (status === 'done' || status === 'skipped') return [];
    return verify.flatMap((command): readonly Problem[] => {
      const program = PROGRAM.exec(command.trim().replace(SETTINGS, ''))?.[0];
      if (program === undefined || BUILT_IN.has(program)) return [];
      const there = known.get(program) ?? isThere(program, { root, env });
      known.set(program, there);
      if (there) return [];
      const what = program.includes('/') ? `there is no file ${program}` : `there is no program ${program} on PATH`;
      const check = oneLine(command, 120);
      const message = `${id}: its check \`${check}\` cannot be started, because ${what}; unless the item makes it, correct it in ${path}`;
      return [{ level: 'warning', line, column: 1, message }];
    });
  });
}

function isThere(program: string, { root, env }: CheckGround): boolean {
  if (!program.includes('/')) return findOnPath(program, env) !== undefined;
  return statSync(resolve(root, program), { throwIfNoEntry: false })?.isFile() ?? false;
}
