/** A repository that a walk goes through, and what its person did so far. */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Ended } from '../support/cli.ts';
import { makeRepo, type Repo } from '../support/repo.ts';
import { KINDS, type KindName, type PlanKind } from './plans.ts';

export interface World {
  readonly repo: Repo;
  readonly kind: PlanKind;
  /** The number of the next item that is added. */
  next: number;
  /** Files that the person has not committed, by path. */
  readonly uncommitted: Map<string, string>;
  /** Items that the person called done, with or without work. */
  readonly calledDone: Set<string>;
  /** Items of which the person took something back: they may be done a second time. */
  readonly takenBack: Set<string>;
  /** Items that the person took out of the plan. */
  readonly removed: Set<string>;
  /** What the last command printed. */
  said: string;
}

/** The folder of agents' work: one file for each item, so that it can be recognised in a tree. */
export const workOf = (id: string): string => `work/${id}.txt`;

/**
 * Does its item. One whose number ends in 3 is blocked at first, in 4 red, in 5 a question. It notes which items were done before it
 * began.
 */
const agent = (outside: string, claim: string) => `#!/bin/sh
cat > /dev/null
item=$RALPH_ITEM
calls='${outside}'/calls/$item
n=$(($(cat "$calls" 2>/dev/null || echo 0) + 1))
echo $n > "$calls"
if git cat-file -e "HEAD:work/$item.txt" 2>/dev/null; then echo "$item" >> '${outside}/repeated'; fi
case $item/$n in
*3/1) echo "RALPH_TASK_BLOCKED: ${claim} - no key"; exit ;;
*5/1) echo "RALPH_TASK_QUESTION: ${claim} - which one?"; exit ;;
esac
mkdir -p work
case $item/$n in
*4/1) text=BROKEN ;;
*) text=$item ;;
esac
# What is done again has to be another change.
if git cat-file -e "HEAD:work/$item.txt" 2>/dev/null; then text="$text, again: $n"; fi
echo "$text" > work/$item.txt
if test -d docs/ralph && ! grep -q "^## Group $item:" docs/ralph/RALPH_NOTES.md; then
  printf '\\n## Group %s: notes\\n\\nAll.\\n' "$item" >> docs/ralph/RALPH_NOTES.md
fi
echo "RALPH_TASK_COMPLETE: ${claim}"
`;

export function makeWorld(name: KindName): World {
  const kind: PlanKind = KINDS[name];
  const repo = makeRepo({
    files: { ...kind.files, 'notes.txt': 'fine\n' },
    config: { agent: { command: ['walk-agent'] }, gates: ['! grep -rqs BROKEN work'], limits: { wait: '10ms' } },
  });
  repo.git('config', 'user.name', 'A Person');
  repo.git('config', 'user.email', 'person@example.org');
  mkdirSync(join(repo.outside, 'bin'));
  mkdirSync(join(repo.outside, 'calls'));
  const file = join(repo.outside, 'bin/walk-agent');
  writeFileSync(file, agent(repo.outside, kind.claim));
  chmodSync(file, 0o755);
  return {
    repo,
    kind,
    next: 4,
    uncommitted: new Map(),
    calledDone: new Set(),
    takenBack: new Set(),
    removed: new Set(),
    said: '',
  };
}

/** Runs `ralph <args>` where the agent can be found. */
export async function ralphIn(
  { repo }: World,
  args: readonly string[],
  flags: { readonly preload?: readonly string[]; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<Ended> {
  const PATH = `${join(repo.outside, 'bin')}:${process.env.PATH ?? '/usr/bin:/bin'}`;
  return await repo.ralph(args, { ...flags, env: { PATH, ...flags.env } });
}

/** Runs git as the person; whether it worked. */
export function gitIn({ repo }: World, ...args: readonly string[]): boolean {
  try {
    repo.git(...args);
    return true;
  } catch {
    return false;
  }
}
