/** Where a plan's words are in files of their own, those are the runner's too: an agent must not rewrite what it is asked. */
import { rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { reparse } from '../plan/index.ts';
import type { Item } from '../protocol.ts';
import { readBytes, writeFresh, writeOwn } from '../util/files.ts';
import type { Session } from './session.ts';

/** To be called before the agent starts; what it gives puts the files back once the agent is gone, and says which. */
export function guardPrompts(session: Session, iteration: number): () => readonly string[] {
  const { plan } = session;
  const given = new Map(plan.plan.items.flatMap(item => withSource(item, plan.path)));
  if (given.size === 0) return () => [];
  const before = new Map([...given.keys()].map(file => [file, readBytes(file)]));
  const keep = (file: string, bytes: Buffer) =>
    writeFresh(session.fileOf(iteration, `${basename(file)}.edited`), bytes);
  return () => {
    const edits: string[] = [];
    for (const [file, was] of before) {
      const now = readBytes(file);
      if (!was || now?.equals(was)) continue;
      if (now) keep(file, now);
      writeOwn(file, was);
      edits.push(`the prompt of ${given.get(file)?.id} was ${now ? 'edited' : 'deleted'}`);
    }
    return [...edits, ...refuseLifted(session, { known: before, keep })];
  };
}

/** A plan may grow while an agent works, but only a person lifts guards. */
function refuseLifted(
  { plan }: Session,
  {
    known,
    keep,
  }: { readonly known: ReadonlyMap<string, unknown>; readonly keep: (file: string, bytes: Buffer) => void },
): readonly string[] {
  const now = reparse(plan, plan.bytes);
  if (!now.ok) return [];
  return now.value.plan.items.flatMap(item => {
    const [file] = withSource(item, plan.path)[0] ?? [];
    if (file === undefined || known.has(file) || !item.allow?.length) return [];
    keep(file, readBytes(file) ?? Buffer.alloc(0));
    rmSync(file);
    return [`added ${item.id} with guards lifted`];
  });
}

const withSource = (item: Item, path: string): readonly (readonly [string, Item])[] =>
  item.source === undefined ? [] : [[join(dirname(path), item.source.path), item]];
