/** Pending updates for a tracker, in a file until they are delivered: a run never waits for them, and nothing is lost offline. */
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { PlanSource, SourceChange, SourcePlace } from '../protocol.ts';
import { readText, writeOwn } from '../util/files.ts';
import { ok, type Result } from '../util/result.ts';

export interface Outbox {
  /** By issue: the last state that was queued for it, with what made it one. */
  readonly told: Readonly<Record<string, string>>;
  readonly waiting: readonly SourceChange[];
}

const EMPTY: Outbox = { told: {}, waiting: [] };
const STATES = ['pending', 'in-progress', 'blocked', 'done', 'closed'];

export function readOutbox(file: string): Outbox {
  try {
    const value = JSON.parse(readText(file) ?? '{}') as Partial<Outbox>;
    const waiting = Array.isArray(value.waiting) ? value.waiting.filter(isChange) : [];
    return { told: value.told ?? {}, waiting };
  } catch {
    // Damaged: what is to be told is found out again from the journal.
    return EMPTY;
  }
}

function isChange(value: unknown): value is SourceChange {
  if (typeof value !== 'object' || value === null) return false;
  const { project, issue, to } = value as Record<string, unknown>;
  return (
    typeof project === 'string' &&
    typeof issue === 'string' &&
    /^\w[\w .-]*$/.test(issue) &&
    STATES.includes(String(to))
  );
}

export function writeOutbox(file: string, outbox: Outbox): void {
  mkdirSync(dirname(file), { recursive: true });
  writeOwn(file, `${JSON.stringify(outbox, undefined, 2)}\n`);
}

/** With one more change; one without a comment that waits for the same issue is out of date. */
export function queued(
  { told, waiting }: Outbox,
  { change, key }: { readonly change: SourceChange; readonly key: string },
): Outbox {
  const others = waiting.filter(other => other.issue !== change.issue || other.comment !== undefined);
  return { told: { ...told, [change.issue]: key }, waiting: [...others, change] };
}

/** Sends the first that waits. */
export async function sendFirst(
  { waiting: [first] }: Outbox,
  { source, place }: { readonly source: PlanSource; readonly place: SourcePlace },
): Promise<Result<SourceChange | undefined>> {
  if (!first) return ok(undefined);
  const sent = await source.tell(first, place);
  return sent.ok ? ok(first) : sent;
}

export const without = ({ told, waiting }: Outbox, sent: SourceChange): Outbox => ({
  told,
  waiting: waiting.filter(change => change !== sent),
});
