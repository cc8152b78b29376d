/** How another terminal talks to a live run: a file per request in an inbox, taken in order, then gone. */
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Mark } from '../protocol.ts';
import { readText, writeAtomic } from '../util/files.ts';
import { uniqueName } from '../util/unique-name.ts';

export type Request =
  | { readonly type: 'stop'; readonly now: boolean }
  | { readonly type: 'pause' }
  | { readonly type: 'resume' }
  | { readonly type: 'steer'; readonly text: string }
  | { readonly type: 'mark'; readonly mark: Mark }
  | { readonly type: 'lesson'; readonly act: 'add'; readonly kind: string; readonly text: string }
  | { readonly type: 'lesson'; readonly act: 'retire' | 'promote'; readonly id: string }
  | { readonly type: 'retry'; readonly item: string; readonly hint: string };

const MARKS: ReadonlySet<unknown> = new Set<Mark['to']>(['pending', 'done', 'blocked', 'skipped']);

/** Puts a request into the inbox, whole or not at all. */
export function sendRequest(folder: string, request: Request): void {
  const name = `${String(Date.now()).padStart(15, '0')}-${uniqueName()}.json`;
  writeAtomic(join(folder, name), JSON.stringify(request));
}

export interface Received {
  readonly request: Request;
  /** When it was sent, in epoch milliseconds; its name tells. */
  readonly at: number;
  /** Called once the request is journaled. */
  readonly done: () => void;
}

/** What is in the inbox, oldest first; files that are no request are removed. */
export function receiveRequests(folder: string): readonly Received[] {
  let names: string[];
  try {
    names = readdirSync(folder).filter(name => name.endsWith('.json') && !name.startsWith('.'));
  } catch {
    return [];
  }
  return names.toSorted().flatMap(name => {
    const file = join(folder, name);
    const request = parseRequest(readText(file) ?? '');
    const done = () => rmSync(file, { force: true, recursive: true });
    if (request) return [{ request, at: Number(/^\d+/.exec(name)?.[0] ?? Date.now()), done }];
    done();
    return [];
  });
}

/** The item that a request is about. */
export const itemIn = (request: Request): string | undefined =>
  request.type === 'retry' ? request.item : request.type === 'mark' ? request.mark.id : undefined;

/** Takes back what was asked for an item and nobody has taken up: a later word about it counts. How many there were. */
export function dropRequests(folder: string, item: string): number {
  const old = receiveRequests(folder).filter(({ request }) => itemIn(request) === item);
  for (const { done } of old) done();
  return old.length;
}

export function makeInbox(folder: string): void {
  mkdirSync(folder, { recursive: true });
}

function parseRequest(text: string): Request | undefined {
  try {
    const value = JSON.parse(text) as Partial<Request>;
    switch (value.type) {
      case 'stop':
        return { type: 'stop', now: value.now === true };
      case 'pause':
      case 'resume':
        return { type: value.type };
      case 'steer':
        return typeof value.text === 'string' ? { type: 'steer', text: value.text.slice(0, 4000) } : undefined;
      case 'lesson':
        return lessonRequest(value);
      case 'retry': {
        const { item, hint } = value;
        return typeof item === 'string' && typeof hint === 'string'
          ? { type: 'retry', item, hint: hint.slice(0, 4000) }
          : undefined;
      }
      case 'mark': {
        const { id, to, note, at, again } = value.mark ?? {};
        if (typeof id !== 'string' || to === undefined || !MARKS.has(to)) return undefined;
        const optional = {
          ...(typeof note === 'string' ? { note } : {}),
          ...(typeof at === 'number' ? { at } : {}),
          ...(again === true ? { again } : {}),
        };
        return { type: 'mark', mark: { id, to, ...optional } };
      }
      default:
        return undefined;
    }
  } catch {
    return undefined;
  }
}

function lessonRequest(value: Partial<Extract<Request, { type: 'lesson' }>>): Request | undefined {
  switch (value.act) {
    case 'add': {
      const { kind, text } = value;
      return typeof kind === 'string' && typeof text === 'string'
        ? { type: 'lesson', act: 'add', kind, text: text.slice(0, 4000) }
        : undefined;
    }
    case 'retire':
    case 'promote':
      return typeof value.id === 'string' ? { type: 'lesson', act: value.act, id: value.id } : undefined;
    default:
      return undefined;
  }
}
