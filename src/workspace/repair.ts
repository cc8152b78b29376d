/**
 * What a power cut, or an agent that took its runner with it, did to the git directory: found before anything is read from
 * it, and made whole from the vault. What cannot be made whole goes out of the way, so that the step it belonged to can be
 * done again.
 */
import { closeSync, fstatSync, openSync, readSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { crypto } from '../util/crypto.ts';
import { namesIn, readBytes, readText, writeAtomic } from '../util/files.ts';
import { lookAt } from '../util/version.ts';
import type { Git } from './git.ts';
import { moveAside } from './kept-files.ts';
import { isWhole, LinkedObjects, secondName } from './linked-copy.ts';
import { parsePacked, VALUE } from './ref-files.ts';

export interface Damaged {
  readonly git: Git;
  readonly commonDir: string;
  /** Git directories with an index: of the repository's own checkout and of the run's. */
  readonly gitDirs: readonly string[];
  /** Our own git directory. */
  readonly vault: string;
  /** Where what is broken is kept. */
  readonly aside: string;
  /** The run's branch as a ref, and where it should be: the best first. */
  readonly branch: string;
  readonly tips: readonly string[];
  /** When the run began: what is older was on disk long before. */
  readonly since: number;
  /** Nothing of before runs any more, and files may hold anything. */
  readonly rebooted: boolean;
}

/** Says what was done, for people. */
export async function repairGit(damaged: Damaged): Promise<readonly string[]> {
  if (damaged.rebooted) removeLocks(damaged);
  const objects = repairObjects(damaged);
  const refs = await repairRefs(damaged);
  const indexes = await repairIndexes(damaged);
  return [...objects, ...refs, ...indexes];
}

/** Nobody who held one is alive. */
function removeLocks({ commonDir, gitDirs }: Damaged): void {
  for (const folder of new Set([commonDir, ...gitDirs])) {
    for (const name of namesIn(folder))
      if (name.endsWith('.lock')) rmSync(join(folder, name), { recursive: true, force: true });
  }
  for (const file of filesBelow(join(commonDir, 'refs'))) if (file.endsWith('.lock')) rmSync(file, { force: true });
}

function repairObjects({ commonDir, vault, aside, since, rebooted }: Damaged): readonly string[] {
  const stores = { from: join(commonDir, 'objects'), to: join(vault, 'objects') };
  // Nothing broken may be taken for what is whole, so our own side is looked at first.
  if (rebooted) dropBroken(stores.to, since);
  const linked = new LinkedObjects(stores);
  const loose = linked.mend({ since, aside, how: 'by-content' });
  const packs = brokenPacks(join(stores.from, 'pack'), since);
  for (const name of packs) {
    moveAside(join(stores.from, 'pack', name), aside);
    const copy = join(stores.to, 'pack', name);
    if (lookAt(copy)?.isFile() && endsWithSum(copy)) secondName(copy, join(stores.from, 'pack', name));
  }
  const count = loose + packs.length;
  return count === 0
    ? []
    : [`${count} damaged ${count === 1 ? 'object' : 'objects'} of the repository: restored where there was a copy`];
}

/** Loose objects that are not what their names say. */
/** Copies that a power cut left empty: the next run makes them again, and until then nothing is taken from them. */
export function dropBroken(objects: string, since: number): void {
  for (const file of brokenIn(objects, since)) rmSync(file, { force: true });
}

function brokenIn(objects: string, since: number): readonly string[] {
  return namesIn(objects)
    .filter(folder => /^[0-9a-f]{2}$/.test(folder))
    .flatMap(folder =>
      namesIn(join(objects, folder)).flatMap(name => {
        const file = join(objects, folder, name);
        const stat = lookAt(file);
        if (!stat?.isFile() || (stat.size > 0 && stat.ctimeMs < since)) return [];
        return isWhole(file, folder + name) ? [] : [file];
      }),
    );
}

const SHA1 = 20;

/** Packs and their indexes end with the sum of everything before. */
function brokenPacks(folder: string, since: number): readonly string[] {
  return namesIn(folder).filter(name => {
    const file = join(folder, name);
    const stat = lookAt(file);
    if (!/\.(?:pack|idx)$/.test(name) || !stat?.isFile()) return false;
    return stat.size < 2 * SHA1 || (stat.ctimeMs >= since && !endsWithSum(file));
  });
}

const CHUNK = 1024 * 1024;

function endsWithSum(file: string): boolean {
  const fd = openSync(file, 'r');
  try {
    const { size } = fstatSync(fd);
    const sums = (['sha1', 'sha256'] as const).map(name => ({
      hash: crypto().createHash(name),
      length: name === 'sha1' ? 20 : 32,
    }));
    const tail = Buffer.alloc(32);
    readSync(fd, tail, 0, 32, Math.max(0, size - 32));
    const chunk = Buffer.allocUnsafe(CHUNK);
    for (let at = 0; at < size; ) {
      const read = readSync(fd, chunk, 0, CHUNK, at);
      if (read === 0) break;
      for (const { hash, length } of sums)
        hash.update(chunk.subarray(0, Math.max(0, Math.min(read, size - length - at))));
      at += read;
    }
    return sums.some(({ hash, length }) => hash.digest().equals(tail.subarray(32 - length)));
  } finally {
    closeSync(fd);
  }
}

/** Files of refs that hold no ref any more, and a branch whose commit did not outlive the cut. */
async function repairRefs(damaged: Damaged): Promise<readonly string[]> {
  const { git, commonDir, vault, aside, branch, tips } = damaged;
  const kept = parsePacked(readText(join(vault, 'packed-refs')) ?? '');
  const isThere = async (id: string | undefined) =>
    id !== undefined &&
    /^[0-9a-f]{40,64}$/.test(id) &&
    (await git.text('rev-parse', '-q', '--verify', `${id}^{tree}`)).ok;
  const broken = filesBelow(join(commonDir, 'refs')).filter(
    file => !file.endsWith('.lock') && !VALUE.test(readText(file)?.trim() ?? ''),
  );
  const notes: string[] = [];
  for (const file of broken) {
    const ref = relative(commonDir, file);
    moveAside(file, aside);
    const value = kept.get(ref);
    if (ref !== branch && value !== undefined && (await isThere(value))) writeAtomic(file, `${value}\n`);
    notes.push(`${ref} was empty or damaged${ref === branch || value ? '; it was restored' : ' and is gone'}`);
  }
  if (
    branch === '' ||
    (await isThere((await git.text('rev-parse', '-q', '--verify', branch)).ok ? branchValue(damaged) : undefined))
  )
    return notes;
  for (const tip of tips) {
    if (!(await isThere(tip))) continue;
    writeAtomic(join(commonDir, branch), `${tip}\n`);
    return notes.some(note => note.startsWith(`${branch} `))
      ? notes
      : [...notes, `${branch} named a commit that is not there; it is at ${tip.slice(0, 7)} again`];
  }
  return notes;
}

function branchValue({ commonDir, branch }: Damaged): string | undefined {
  const loose = readText(join(commonDir, branch))?.trim();
  return loose ?? parsePacked(readText(join(commonDir, 'packed-refs')) ?? '').get(branch);
}

/** An index is made again from the last commit; nothing of the work tree is in it that is not there. */
async function repairIndexes({ git, gitDirs, aside }: Damaged): Promise<readonly string[]> {
  const notes: string[] = [];
  for (const gitDir of new Set(gitDirs)) {
    const file = join(gitDir, 'index');
    const bytes = readBytes(file);
    // Git may be told to leave the sum out.
    if (!bytes || (isIndex(bytes) && (endsWithSum(file) || bytes.subarray(-SHA1).every(byte => byte === 0)))) continue;
    moveAside(file, aside);
    await git.with({ GIT_DIR: gitDir }).text('read-tree', 'HEAD');
    notes.push('the index was damaged; it was made again from the last commit');
  }
  return notes;
}

const isIndex = (bytes: Buffer): boolean => bytes.length > 12 + SHA1 && bytes.toString('latin1', 0, 4) === 'DIRC';

function filesBelow(folder: string): readonly string[] {
  return namesIn(folder).flatMap(name => {
    const path = join(folder, name);
    return lookAt(path)?.isDirectory() ? filesBelow(path) : [path];
  });
}
