/**
 * Whether somebody changed the tools that gates are run with. Installed packages are ignored by git, so no diff shows
 * it; but no program can set the time of a file's last change, and that tells.
 */
import { cpSync, existsSync, lstatSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Where package managers put what a project needs; git does not see these. */
export const PACKAGE_FOLDERS = ['node_modules', '.venv', 'venv', 'vendor/bundle'];

/** What tools write into these folders while they work. */
const CACHES = /^(?:\.(?!bin$)|__pycache__$)/;
/** What is read as code. */
const CODE = /(?:^[^.]+|\.(?:[cm]?js|json|node|wasm|sh|py|pth|so|rb|dylib))$/;
/** A package manager was here: it writes its own record last. */
const RECORDS = /^(?:\.package-lock\.json|\.yarn-state\.yml|\.yarn-integrity|\.modules\.yaml|RECORD)$/;
/** Enough to say what happened. */
const LISTED = 50;

export interface ToolChanges {
  /** Relative to the root, at most 50. */
  readonly files: readonly string[];
  /** A package manager installed something; then the changes are most likely its. */
  readonly installed: boolean;
}

export function changedTools(root: string, since: number): ToolChanges {
  const files: string[] = [];
  let installed = false;
  const walk = (folder: string) => {
    for (const entry of entriesOf(join(root, folder))) {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory()) {
        if (!CACHES.test(entry.name)) walk(path);
        continue;
      }
      const isRecord = RECORDS.test(entry.name);
      if (!isRecord && (CACHES.test(entry.name) || !CODE.test(entry.name))) continue;
      if (changedAt(join(root, path)) <= since) continue;
      if (isRecord) installed = true;
      else if (files.length < LISTED) files.push(path);
    }
  };
  for (const folder of PACKAGE_FOLDERS) if (existsSync(join(root, folder))) walk(folder);
  return { files, installed };
}

/** Out of the way, so that nothing runs them; what is missing is noticed, what was changed is not. */
export function removeTools(root: string, files: readonly string[], to: string): void {
  for (const path of files) {
    mkdirSync(dirname(join(to, path)), { recursive: true });
    // Packages may lie on another disk, from where nothing can be moved.
    // What is neither file nor link has no content to keep.
    const stat = lstatSync(join(root, path), { throwIfNoEntry: false });
    if (stat?.isFile() || stat?.isSymbolicLink()) cpSync(join(root, path), join(to, path), { verbatimSymlinks: true });
    rmSync(join(root, path), { force: true });
  }
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // Gone meanwhile, or not ours to read: then no gate of ours reads it either.
    return [];
  }
}

function changedAt(path: string): number {
  return lstatSync(path, { throwIfNoEntry: false })?.ctimeMs ?? 0;
}
