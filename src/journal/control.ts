/** How other terminals send requests to a live run: one file per request in an inbox, handled in order and then removed. */

import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type Actor, actorPlaces, type Mark, type ProcessId } from '../protocol.ts';
import { readText, writeOwn, writeWhole } from '../util/files.ts';
import { fieldsOf, jsonFields } from '../util/json.ts';
import { ownFolder } from '../util/own-folder.ts';
import { otherKind } from '../util/regular.ts';
import { uniqueName } from '../util/unique-name.ts';

export type Request =
  | { readonly type: 'stop'; readonly now: boolean }
  | { readonly type: 'pause' }
  | { readonly type: 'resume' }
  | { readonly type: 'steer'; readonly text: string }
  | { readonly type: 'mark'; readonly mark: Mark }
  | { readonly type: 'lesson'; readonly act: 'add'; readonly kind: string; readonly text: string }
  | { readonly type: 'lesson'; readonly act: 'retire' | 'promote'; readonly id: string }
  | { readonly type: 'retry'; readonly item: string; readonly hint: string }
  | { readonly type: 'answer'; readonly item: string; readonly text: string };

/** The sender of a request, as it describes itself; the runner verifies it. */
export interface Asker {
  readonly from?: ProcessId;
  /** The code that the run's own terminal showed for this request. */
  readonly confirm?: string;
  /** The sender as the journal records it. */
  readonly actor?: Actor;
}

const MARKS: ReadonlySet<unknown> = new Set<Mark['to']>(['pending', 'done', 'blocked', 'skipped']);

/** Puts a request into the inbox, atomically. */
export function sendRequest(folder: string, request: Request, asker: Asker = {}): string {
  // Two requests in the same millisecond are ordered by a clock that all processes of a machine share.
  const order = [String(Date.now()).padStart(15, '0'), String(process.hrtime.bigint()).padStart(20, '0'), uniqueName()];
  const file = join(folder, `${order.join('-')}.json`);
  ownFolder(dirname(folder), folder);
  writeOwn(file, JSON.stringify({ ...request, ...asker }));
  return file;
}

/** The file in which the runner answers a request. */
export const answerTo = (file: string): string => file.replace(/\.json$/, '.answer');

export interface Received {
  readonly file: string;
  readonly request: Request;
  readonly asker: Asker;
  /** When the request was sent, in epoch milliseconds; taken from its file name. */
  readonly at: number;
  /** Answers the sender, which waits for it. */
  readonly answer: (what: 'taken' | 'held') => void;
  /** Called once the request is journaled. */
  readonly done: () => void;
}

/** Larger files are not requests. */
const MOST_BYTES = 1024 * 1024;

/** The requests in the inbox, oldest first; other files are removed. */
export function receiveRequests(
  folder: string,
  onOther: (what: string) => void = () => undefined,
): readonly Received[] {
  let names: string[];
  // The target of a link belongs to somebody else: nothing there is read or removed.
  if (otherKind(folder, 'folder') !== undefined) return [];
  try {
    names = readdirSync(folder).filter(name => name.endsWith('.json') && !name.startsWith('.'));
  } catch {
    return [];
  }
  return names.toSorted().flatMap(name => {
    const file = join(folder, name);
    const other = otherKind(file, 'file');
    const text = other === undefined ? (readText(file, MOST_BYTES) ?? '') : '';
    const request = parseRequest(text);
    const done = () => rmSync(file, { force: true, recursive: true });
    if (request)
      return [
        {
          file,
          request,
          asker: parseAsker(text),
          at: Number(/^\d+/.exec(name)?.[0] ?? Date.now()),
          answer: what => answer(file, what),
          done,
        },
      ];
    done();
    onOther(`${name} is ${other ?? 'not an order'}`);
    return [];
  });
}

function answer(file: string, what: 'taken' | 'held'): void {
  try {
    writeWhole(answerTo(file), what);
  } catch {
    // The sender stops waiting by itself.
  }
}

/** The item that a request is about. */
export const itemIn = (request: Request): string | undefined =>
  request.type === 'retry' || request.type === 'answer'
    ? request.item
    : request.type === 'mark'
      ? request.mark.id
      : undefined;

/** Withdraws pending requests for an item, because a later request replaces them. Returns how many there were. */
export function dropRequests(received: readonly Received[], item: string): number {
  const old = received.filter(({ request }) => itemIn(request) === item);
  for (const { done } of old) done();
  return old.length;
}

/** Moves requests that were left for the next run into the inbox of a run. */
export function adoptRequests({ from, to }: { readonly from: string; readonly to: string }): void {
  for (const { file } of receiveRequests(from)) {
    try {
      renameSync(file, join(to, basename(file)));
    } catch {
      // Another live run has taken it.
    }
  }
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
      case 'answer': {
        const { item, text: said } = value;
        return typeof item === 'string' && typeof said === 'string'
          ? { type: 'answer', item, text: said.slice(0, 4000) }
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

/** For a text that is known to be a request. */
function parseAsker(text: string): Asker {
  const { from, confirm, actor } = jsonFields(text);
  const { pid, started, boot } = fieldsOf(from);
  const isProcess = typeof pid === 'number' && typeof started === 'string' && typeof boot === 'string';
  return {
    ...(isProcess ? { from: { pid, started, boot } } : {}),
    ...(typeof confirm === 'string' ? { confirm } : {}),
    ...actorIn(actor),
  };
}

function actorIn(value: unknown): { readonly actor?: Actor } {
  const { via, user, pid } = fieldsOf(value);
  const known = actorPlaces.find(place => place === via);
  if (known === undefined) return {};
  return {
    actor: {
      via: known,
      ...(typeof user === 'string' ? { user: user.slice(0, 100) } : {}),
      ...(Number.isSafeInteger(pid) ? { pid: Number(pid) } : {}),
    },
  };
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
