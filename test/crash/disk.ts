/**
 * A disk of the test's own: a file with ext4 in it, mounted. What has not reached the file when it is copied is what a
 * power cut takes away. Needs root and loop devices.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

export interface Disk {
  /** Where it is mounted. */
  readonly folder: string;
  /** A copy of what has reached the disk by now, while nobody works on it; gives the copy's name. */
  cut(): string;
  /** Goes on with another copy of the disk, in the same place. */
  swap(image: string): void;
  remove(): void;
}

/** Why there can be none here; undefined where there can. */
export function whyNoDisk(): string | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'mounting a disk image needs root on Linux';
  try {
    makeDisk({ megabytes: 8 }).remove();
    return undefined;
  } catch (error) {
    return `a disk image cannot be mounted here: ${String(error).split('\n')[0]}`;
  }
}

export function makeDisk({ megabytes = 96 } = {}): Disk {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'ralph-disk-')));
  const [image, folder] = [join(top, 'image'), join(top, 'disk')];
  mkdirSync(folder);
  run('truncate', '-s', `${megabytes}M`, image);
  run('mkfs.ext4', '-q', '-F', '-E', 'lazy_itable_init=0,lazy_journal_init=0', image);
  mount(image, folder);
  let cuts = 0;
  return {
    folder,
    cut() {
      const copy = join(top, `cut-${++cuts}`);
      const stopped = stopAll(folder);
      try {
        // The kernel writes back when it likes: a copy it wrote into meanwhile is of no one moment.
        for (let tries = 0; tries < 20; tries++) {
          const before = writesTo(folder);
          run('cp', '--sparse=always', image, copy);
          if (writesTo(folder) === before) return copy;
        }
        throw new Error('the disk does not come to rest');
      } finally {
        for (const pid of stopped) signal(pid, 'SIGCONT');
      }
    },
    swap(other) {
      unmount(folder);
      mount(other, folder);
    },
    remove() {
      unmount(folder);
      rmSync(top, { recursive: true, force: true });
    },
  };
}

/** Metadata is written with the next sync or not for a minute: the longest way between a write and the disk. */
const mount = (image: string, folder: string): void => run('mount', '-o', 'loop,commit=60', image, folder);

function unmount(folder: string): void {
  for (const pid of workersIn(folder)) signal(pid, 'SIGKILL');
  for (let tries = 0; tries < 50; tries++) {
    if (spawnSync('umount', [folder], { stdio: 'ignore' }).status === 0) return;
    spawnSync('sleep', ['0.1']);
  }
  spawnSync('umount', ['-l', folder]);
}

function run(program: string, ...args: readonly string[]): void {
  execFileSync(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
}

/** Everybody who works there holds still, also who was started meanwhile. */
function stopAll(folder: string): readonly number[] {
  const stopped = new Set<number>();
  for (let quiet = 0; quiet < 2; quiet++) {
    for (const pid of workersIn(folder)) {
      if (stopped.has(pid)) continue;
      stopped.add(pid);
      signal(pid, 'SIGSTOP');
      quiet = 0;
    }
  }
  return [...stopped];
}

function workersIn(folder: string): readonly number[] {
  return readdirSync('/proc').flatMap(name => {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) return [];
    try {
      return readlinkSync(`/proc/${name}/cwd`).startsWith(`${folder}/`) ? [Number(name)] : [];
    } catch {
      return [];
    }
  });
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // Gone meanwhile.
  }
}

function writesTo(folder: string): string {
  const device = execFileSync('findmnt', ['-n', '-o', 'SOURCE', folder], { encoding: 'utf8' }).trim();
  return (
    readFileSync(`/sys/block/${basename(device)}/stat`, 'utf8')
      .trim()
      .split(/\s+/)[4] ?? ''
  );
}
