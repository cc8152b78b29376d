/** Searches the usual places for a plan and chooses between those found. */
import { statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { namesIn } from '../util/files.ts';
import type { Failure } from '../util/result.ts';
import { checklist } from './checklist.ts';
import { candidateOf, severalPlans } from './choose.ts';
import { diskFiles, kindOf } from './disk.ts';
import { currentFeature, ecosystemPlaces } from './ecosystems/places.ts';
import { groups } from './groups.ts';
import { prd } from './prd.ts';
import { isPromptName } from './prompt.ts';
import { locate, MAX_BYTES, type OpenPlan, openFile } from './read-file.ts';
import { sprint } from './sprint.ts';

/**
 * Places that are searched first if no plan is named: prd.json and its usual folders, then JSON files that may be something
 * else (they count only with items in them), groups, a sprint, then checklists (they count only with boxes in them).
 */
const PLACES: readonly string[] = [
  'prd.json',
  'scripts/ralph/prd.json',
  '.ralph/prd.json',
  'plans/prd.json',
  'plan.json',
  'tasks.json',
  '.ralph/tasks.json',
  'feature_list.json',
  'docs/ralph',
  'PROGRESS.yaml',
  'SPRINT.yaml',
  'PROGRESS.md',
  'IMPLEMENTATION_PLAN.md',
  'fix_plan.md',
  '@fix_plan.md',
  '.ralph/PROGRESS.md',
  '.ralph/IMPLEMENTATION_PLAN.md',
  '.ralph/fix_plan.md',
  '.ralph/@fix_plan.md',
];

/** Searched after the plans of other tools: these files may not be meant for an agent at all. */
const LAST_PLACES: readonly string[] = [
  'specs/IMPLEMENTATION_PLAN.md',
  'TODO.md',
  'PLAN.md',
  'plan.md',
  'TASKS.md',
  'tasks.md',
  'PROMPT.md',
  '.ralph/PROMPT.md',
];

/** A file with the name of a checklist but without boxes, for the message when no plan was found. */
export const boxlessPlan = (root: string): string | undefined =>
  [...PLACES, ...LAST_PLACES].find(place => place.endsWith('.md') && kindOf(join(root, place)) === 'file');

/** Names that are given to nothing but a plan. */
const CERTAIN = ['prd.json', 'SPRINT.yaml', 'PROGRESS.md', 'IMPLEMENTATION_PLAN.md', 'fix_plan.md'] as const;
const SHOWN_BELOW = 3;
const FOLDERS_LOOKED_INTO = 100;

/** Files with the name of a plan where no plan is searched: in `from` and in folders near the root. For a message, so not opened. */
export function plansBelow(root: string, from: string): readonly string[] {
  const first = foldersIn(root);
  const folders = [...(from === root ? [] : [from]), ...first, ...first.flatMap(foldersIn)];
  return [...new Set(folders)]
    .slice(0, FOLDERS_LOOKED_INTO)
    .flatMap(folder => CERTAIN.map(name => join(folder, name)).filter(file => kindOf(file) === 'file'))
    .slice(0, SHOWN_BELOW);
}

const foldersIn = (folder: string): readonly string[] =>
  namesIn(folder)
    .filter(name => !name.startsWith('.') && name !== 'node_modules')
    .toSorted()
    .slice(0, FOLDERS_LOOKED_INTO)
    .map(name => join(folder, name))
    .filter(path => kindOf(path) === 'folder');

/** The path under `root` of the first plan in the usual places; undefined if a person has to choose. */
export function findPlan(root: string): string | undefined {
  const found = searchIn(root);
  return found && 'path' in found ? found.path : undefined;
}

interface FoundPlan {
  readonly path: string;
  /** Set if the search has already parsed the file. */
  readonly open?: OpenPlan;
}

/** The plan that was found, a failure that lists several to choose from, or nothing. */
export function searchIn(root: string, from = root): FoundPlan | Failure | undefined {
  const first = firstOf(root, PLACES);
  if (first) return first;
  const others = ecosystemPlaces(root, diskFiles).flatMap(path => {
    const at = locate(path, []);
    const open = at && openFile(at.file, at.format);
    return open?.ok ? [candidateOf(open.value)] : [];
  });
  const working = others.filter(({ work }) => work);
  const current = currentFeature(root, diskFiles);
  const meant = working.find(({ open }) => open.path === current) ?? (working.length === 1 ? working[0] : undefined);
  if (meant) return { path: meant.open.path };
  if (working.length > 1) return severalPlans(working, from);
  const path = others.at(-1)?.open.path;
  return firstOf(root, LAST_PLACES) ?? (path === undefined ? undefined : { path });
}

function firstOf(root: string, places: readonly string[]): FoundPlan | undefined {
  for (const place of places) {
    const found = planAt(join(root, place));
    if (found) return found;
  }
  return undefined;
}

function planAt(path: string): FoundPlan | undefined {
  const kind = kindOf(path);
  if (kind === 'folder') return groups.find(path, diskFiles) === undefined ? undefined : { path };
  // A named pipe with the name of a plan is a mistake: opening it says so.
  if (kind === 'other') return { path };
  if (kind !== 'file') return undefined;
  const name = basename(path);
  if (name === 'prd.json' || name === 'SPRINT.yaml' || isPromptName(name)) return { path };
  // A file that is too large is returned unread: opening it says what is wrong.
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > MAX_BYTES) return { path };
  const format = name.endsWith('.json') ? prd : name.endsWith('.yaml') ? sprint : checklist;
  const opened = openFile(path, format);
  if (!opened.ok) return opened.error.reason === 'plan-too-many' ? { path } : undefined;
  const { plan } = opened.value;
  // A plan without items has an error that says so.
  return plan.error === undefined || plan.ids.length > 0 ? { path, open: opened.value } : undefined;
}
