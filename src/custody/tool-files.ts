/**
 * Files that an agent's own program leaves in the work tree: state and caches, not work. They are moved into the iteration's folder before
 * anything looks at the tree, so that they neither count as a change nor get committed.
 */

import { cpSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Item } from '../protocol.ts';
import { namesIn } from '../util/files.ts';
import type { Thing } from './hold.ts';

/** Names at the top of the tree, each with the word by which an item may ask for the file. */
const TOOL_FILES = /^\.(aider|claude|codex|crush|gemini|goose|opencode|qwen)(?:\..+)?$/;

export interface ToolFilesHeld {
  readonly workspace: { readonly root: string; isIgnored(path: string): Promise<boolean> };
  readonly item: Item;
  /** The folder that they are moved to. */
  readonly to: string;
}

export interface ToolFilesFound {
  readonly moved: readonly string[];
  /** Files that could not be moved, and why. */
  readonly stuck: readonly (readonly [name: string, why: string])[];
}

/** Files that exist before the agent starts belong to somebody, and stay. */
export const heldToolFiles =
  ({ workspace, item, to }: ToolFilesHeld): Thing<ToolFilesFound> =>
  () => {
    const before = new Set(toolFilesIn(workspace.root));
    return async () => {
      const fresh = toolFilesIn(workspace.root).filter(name => !before.has(name) && !isNamed(name, item));
      const moved: string[] = [];
      const stuck: (readonly [string, string])[] = [];
      for (const name of fresh) {
        if (await workspace.isIgnored(name)) continue;
        mkdirSync(to, { recursive: true });
        try {
          move(join(workspace.root, name), join(to, name));
          moved.push(name);
        } catch (error) {
          stuck.push([name, error instanceof Error ? error.message : '']);
        }
      }
      return { moved, stuck };
    };
  };

/** None if an agent has removed the whole tree; the code that restores it reports that. */
const toolFilesIn = (root: string): readonly string[] => namesIn(root).filter(name => TOOL_FILES.test(name));

/** An item that names the tool may ask for such a file, and work is never removed on a guess. */
function isNamed(name: string, { title, body, criteria, verify }: Item): boolean {
  const word = TOOL_FILES.exec(name)?.[1] ?? name;
  const text = [title, body, ...criteria, ...verify].join('\n').toLowerCase();
  return new RegExp(`(?<![\\p{L}\\p{N}])${word}(?![\\p{L}\\p{N}])`, 'u').test(text);
}

function move(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch {
    // The run's folder may be on another disk than the worktree.
    cpSync(from, to, { recursive: true, verbatimSymlinks: true });
    rmSync(from, { recursive: true, force: true });
  }
}
