/** Protects files that contain an item's text: an agent must not rewrite its own task. */
import { rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type OpenPlan, reparse } from '../plan/index.ts';
import type { Item } from '../protocol.ts';
import { readBytes, writeOwn } from '../util/files.ts';

/** Keeps the edited version for people, under the given name. */
export type KeepEdited = (name: string, bytes: Buffer) => void;

/** Called before the agent starts; the returned function restores the files after it and returns what was restored. */
export function holdPrompts({
  given,
  keep,
}: {
  readonly given: OpenPlan;
  readonly keep: KeepEdited;
}): (plan: OpenPlan) => readonly string[] {
  const items = new Map(given.plan.items.flatMap(item => withSource(item, given.path)));
  if (items.size === 0) return () => [];
  const before = new Map([...items.keys()].map(file => [file, readBytes(file)]));
  return plan => {
    const edits: string[] = [];
    for (const [file, was] of before) {
      const now = readBytes(file);
      if (!was || now?.equals(was)) continue;
      if (now) keep(`${basename(file)}.edited`, now);
      writeOwn(file, was);
      edits.push(`the prompt of ${items.get(file)?.id} was ${now ? 'edited' : 'deleted'}`);
    }
    return [...edits, ...refuseLifted(plan, { known: before, keep })];
  };
}

/** A plan may grow while an agent works, but only a person may lift guards. */
function refuseLifted(
  plan: OpenPlan,
  { known, keep }: { readonly known: ReadonlyMap<string, unknown>; readonly keep: KeepEdited },
): readonly string[] {
  const now = reparse(plan, plan.bytes);
  if (!now.ok) return [];
  return now.value.plan.items.flatMap(item => {
    const [file] = withSource(item, plan.path)[0] ?? [];
    if (file === undefined || known.has(file) || !item.allow?.length) return [];
    keep(`${basename(file)}.edited`, readBytes(file) ?? Buffer.alloc(0));
    rmSync(file);
    return [`added ${item.id} with guards lifted`];
  });
}

/** Skips the plan's own file, which is restored with the plan. */
function withSource(item: Item, path: string): readonly (readonly [string, Item])[] {
  const file = item.source && join(dirname(path), item.source.path);
  return file === undefined || file === path ? [] : [[file, item]];
}
