/** A repository that a walk goes through, and what its person did so far. */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Ended, Running } from '../support/cli.ts';
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
  /** Items that the person left out. */
  readonly skipped: Set<string>;
  /** Stashes of the person's, newest first, and what was not committed in each. */
  stashes: readonly { readonly commit: string; readonly held: ReadonlyMap<string, string> }[];
  /** The person rewrote or deleted commits: what they held may be gone. */
  rewritten: boolean;
  /** The runner was killed, and its agent left at work. */
  orphaned: boolean;
  /** What the last command printed. */
  said: string;
}

/** Ids of the plan beside the one of the walk, `other.json`: it is run in a worktree. */
export const OTHER = [1, 2, 3].map(n => `O-${n}`);

/** The folder of agents' work: one file for each item, so that it can be recognised in a tree. */
export const workOf = (id: string): string => `work/${id}.txt`;

/**
 * Does its item. One whose number ends in 3 is blocked at first, in 4 red, in 5 a question. It notes which items were done before it
 * began.
 */
const agent = (outside: string, claim: string) => `#!/bin/sh
cat > /dev/null
item=$RALPH_ITEM
case $item in O-*) name=$item ;; *) name="${claim}" ;; esac
if test -e '${outside}/hold'; then
  wait=$(cat '${outside}/hold')
  : > '${outside}/at-work'
  for _ in $(seq 2000); do test -e "$wait" || break; sleep 0.03; done
fi
calls='${outside}'/calls/$item
n=$(($(cat "$calls" 2>/dev/null || echo 0) + 1))
echo $n > "$calls"
if git cat-file -e "HEAD:work/$item.txt" 2>/dev/null; then echo "$item" >> '${outside}/repeated'; fi
case $item/$n in
*3/1) echo "RALPH_TASK_BLOCKED: $name - no key"; exit ;;
*5/1) echo "RALPH_TASK_QUESTION: $name - which one?"; exit ;;
esac
mkdir -p work
case $item/$n in
*4/1) text=BROKEN ;;
*) text=$item ;;
esac
# What is done again has to be another change.
if git cat-file -e "HEAD:work/$item.txt" 2>/dev/null; then text="$text, again: $n"; fi
echo "$text" > work/$item.txt
if test -d docs/ralph && test -e "docs/ralph/prompts/group-$item.md" && ! grep -q "^## Group $item:" docs/ralph/RALPH_NOTES.md; then
  printf '\\n## Group %s: notes\\n\\nAll.\\n' "$item" >> docs/ralph/RALPH_NOTES.md
fi
echo "RALPH_TASK_COMPLETE: $name"
`;

const other = `${JSON.stringify({
  project: 'other',
  userStories: OTHER.map(id => ({ id, title: `Write ${id}`, passes: false })),
})}\n`;

/** The plan as a person names it on the command line. */
export const named = ({ ignored, path }: PlanKind): string => (ignored ? 'docs/ralph' : path);

export function makeWorld(name: KindName): World {
  const kind: PlanKind = KINDS[name];
  const repo = makeRepo({
    files: { ...kind.files, 'notes.txt': 'fine\n', 'other.json': other },
    config: {
      plan: named(kind),
      agent: { command: ['walk-agent'] },
      gates: ['! grep -rqs BROKEN work'],
      limits: { wait: '10ms' },
    },
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
    skipped: new Set(),
    stashes: [],
    rewritten: false,
    orphaned: false,
    said: '',
  };
}

interface Flags {
  readonly preload?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts `ralph <args>` where the agent can be found. */
export function startIn({ repo }: World, args: readonly string[], flags: Flags = {}): Running {
  const PATH = `${join(repo.outside, 'bin')}:${process.env.PATH ?? '/usr/bin:/bin'}`;
  return repo.start(args, { ...flags, env: { PATH, ...flags.env } });
}

/** Runs it to its end. */
export const ralphIn = async (world: World, args: readonly string[], flags?: Flags): Promise<Ended> =>
  await startIn(world, args, flags).ended;

/** Runs git as the person; whether it worked. */
export function gitIn({ repo }: World, ...args: readonly string[]): boolean {
  try {
    repo.git(...args);
    return true;
  } catch {
    return false;
  }
}
