/**
 * Git objects written without git: the same bytes under the same name, and a process less for each. Nothing here knows
 * better than git; whoever finds something unusual asks git instead.
 */
import { createHash, randomBytes } from 'node:crypto';
import { closeSync, mkdirSync, openSync, renameSync, rmSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { writeAll } from '../util/files.ts';

export interface ObjectStore {
  /** The repository's `objects` folder. */
  readonly folder: string;
  readonly algorithm: 'sha1' | 'sha256';
}

export type ObjectType = 'blob' | 'tree' | 'commit';

/** The hash a repository uses, told by the length of its ids. */
export const algorithmOf = (id: string): ObjectStore['algorithm'] => (id.length === 64 ? 'sha256' : 'sha1');

/** The name git gives to these bytes. */
export function objectId(algorithm: ObjectStore['algorithm'], type: ObjectType, body: Buffer): string {
  return createHash(algorithm).update(headerOf(type, body)).update(body).digest('hex');
}

/** Stores an object as a loose file and returns its name. Throws when the disk refuses. */
export function writeObject(store: ObjectStore, type: ObjectType, body: Buffer): string {
  const id = objectId(store.algorithm, type, body);
  const file = join(store.folder, id.slice(0, 2), id.slice(2));
  if (!freshen(file)) writeLoose(file, Buffer.concat([headerOf(type, body), body]));
  return id;
}

const headerOf = (type: ObjectType, body: Buffer): Buffer => Buffer.from(`${type} ${body.length}\0`);

/** Whether it is there already; then it is made young again, so that a `git gc` beside us does not take it for waste. */
function freshen(file: string): boolean {
  try {
    const now = Date.now() / 1000;
    utimesSync(file, now, now);
    return true;
  } catch {
    return false;
  }
}

// Git's own choice for loose objects.
const SPEED = { level: 1 };

function writeLoose(file: string, object: Buffer): void {
  const folder = dirname(file);
  const temporary = join(folder, `tmp_obj_${randomBytes(6).toString('hex')}`);
  const fd = openNew(folder, temporary);
  try {
    try {
      writeAll(fd, deflateSync(object, SPEED));
    } finally {
      closeSync(fd);
    }
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

function openNew(folder: string, file: string): number {
  try {
    return openSync(file, 'wx', 0o444);
  } catch {
    mkdirSync(folder, { recursive: true });
    return openSync(file, 'wx', 0o444);
  }
}
