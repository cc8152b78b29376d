/**
 * Protects the marks in plans of other runs. To this run they are files like any other, which an agent may edit; but what it marks done
 * there nobody has proven, and the other run would believe it.
 */
import { lstatSync } from 'node:fs';
import { basename, join } from 'node:path';
import { newlyClosed, openPlan, planFrom } from '../plan/index.ts';
import { readBytes, writeOwn } from '../util/files.ts';
import { type Change, type Thing, UNCHANGED } from './hold.ts';
import type { KeepEdited } from './prompts.ts';

export interface OtherPlans {
  readonly root: string;
  /** Relative to the root; those that are not there, or are links, are left alone. */
  readonly paths: readonly string[];
  readonly keep: KeepEdited;
}

export const heldOtherPlans =
  ({ root, paths, keep }: OtherPlans): Thing =>
  () => {
    const held = paths.flatMap(path => {
      const isFile = lstatSync(join(root, path), { throwIfNoEntry: false })?.isFile();
      const bytes = isFile ? readBytes(join(root, path)) : undefined;
      return bytes ? [{ path, bytes }] : [];
    });
    return () => ({ edits: held.flatMap(({ path, bytes }) => putBack({ root, path, bytes, keep }).edits) });
  };

function putBack({
  root,
  path,
  bytes,
  keep,
}: {
  readonly root: string;
  readonly path: string;
  readonly bytes: Buffer;
  readonly keep: KeepEdited;
}): Change {
  const file = join(root, path);
  const now = readBytes(file);
  if (!now || now.equals(bytes)) return UNCHANGED;
  const found = openPlan(file);
  if (!found.ok) return UNCHANGED;
  const closed = newlyClosed(planFrom(found.value, bytes).plan, found.value.plan);
  if (closed.length === 0) return UNCHANGED;
  keep(`${basename(path)}.edited`, now);
  writeOwn(file, bytes);
  const more = closed.length > 5 ? ` and ${closed.length - 5} more` : '';
  return { edits: [`marked ${closed.slice(0, 5).join(', ')}${more} done in ${path}, the plan of another run`] };
}
