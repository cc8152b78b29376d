/** Files that the runner generates from the plan's state, such as a report that belongs to the plan's format. */

import { dirname, join, relative } from 'node:path';
import type { OpenPlan } from '../plan/index.ts';
import { readText, writeOwn } from '../util/files.ts';
import { pathBelow } from '../util/paths.ts';
import type { Session } from './session.ts';

/** Writes them, and returns the paths in the tree of those that git tracks. */
export async function writeRenderings(session: Session, at: number): Promise<readonly string[]> {
  const { workspace } = session;
  const { document, path } = session.plan;
  const seen: string[] = [];
  for (const rendering of document.renderings?.(at) ?? []) {
    const file = join(dirname(path), rendering.path);
    if (readText(file) !== rendering.text) writeOwn(file, rendering.text);
    const inTree = pathBelow(workspace.root, file);
    if (inTree !== undefined && !(await workspace.isIgnored(inTree))) seen.push(inTree);
  }
  return seen;
}

export function renderingPaths({ document, path }: OpenPlan, root: string): readonly string[] {
  return (document.renderings?.(0) ?? []).map(rendering => relative(root, join(dirname(path), rendering.path)));
}
