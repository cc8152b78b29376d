/** The process table of Linux, read from `/proc`. It is read after every agent, so it reads as little as possible. */
import { closeSync, openSync, readFileSync, readlinkSync, readSync, statSync } from 'node:fs';
import { namesIn } from '../util/files.ts';
import { fileKey } from './pipes.ts';
import type { Listing, ProcessTable, Row } from './process-table.ts';

const scratch = Buffer.allocUnsafe(4096);
let bootId: string | undefined;
let pidMax: number | undefined;

export const procTable: ProcessTable = {
  boot() {
    bootId ??= readSmall('/proc/sys/kernel/random/boot_id')?.trim() ?? '';
    return bootId;
  },

  row(pid) {
    const text = readSmall(`/proc/${pid}/stat`);
    return text === undefined ? undefined : parseStat(text);
  },

  list(newerThan) {
    const before = lastPid();
    const rows: Row[] = [];
    for (const name of namesIn('/proc')) {
      const pid = Number(name);
      if (!(pid > 0) || (newerThan !== undefined && isOlder(pid, newerThan, before))) continue;
      const row = procTable.row(pid);
      if (row) rows.push(row);
    }
    return { rows, settled: before !== undefined && before === lastPid() } satisfies Listing;
  },

  command(pid) {
    const line = readWhole(`/proc/${pid}/cmdline`)?.toString('utf8').replaceAll('\0', ' ').trim();
    return line || (readSmall(`/proc/${pid}/comm`)?.trim() ?? '');
  },

  variable(pid, name) {
    const environ = readWhole(`/proc/${pid}/environ`);
    if (!environ) return undefined;
    const key = `${name}=`;
    for (let at = environ.indexOf(key); at >= 0; at = environ.indexOf(key, at + 1)) {
      if (at > 0 && environ[at - 1] !== 0) continue;
      const end = environ.indexOf(0, at);
      return environ.toString('utf8', at + key.length, end < 0 ? environ.length : end);
    }
    return undefined;
  },

  folder(pid) {
    try {
      return readlinkSync(`/proc/${pid}/cwd`);
    } catch {
      return undefined;
    }
  },

  holds(pid, files) {
    return namesIn(`/proc/${pid}/fd`).some(fd => {
      try {
        return files.has(fileKey(statSync(`/proc/${pid}/fd/${fd}`)));
      } catch {
        return false;
      }
    });
  },

  worksIn(pid, folder) {
    if (namesFolder(procTable.command(pid), folder)) return true;
    return namesIn(`/proc/${pid}/fd`).some(fd => {
      try {
        return `${readlinkSync(`/proc/${pid}/fd/${fd}`)}/`.startsWith(`${folder}/`);
      } catch {
        return false;
      }
    });
  },

  kin(pid) {
    try {
      return `${statSync(`/proc/${pid}`).uid} ${readFileSync(`/proc/${pid}/cgroup`, 'utf8')}`;
    } catch {
      return undefined;
    }
  },

  pidLimit() {
    pidMax ??= Number(readSmall('/proc/sys/kernel/pid_max') ?? '0');
    return pidMax;
  },
};

/** Whether a command line names the folder or a path below it; `/srv/app-old` is not below `/srv/app`. */
function namesFolder(command: string, folder: string): boolean {
  for (let at = command.indexOf(folder); at >= 0; at = command.indexOf(folder, at + 1)) {
    const [before, after] = [command[at - 1] ?? ' ', command[at + folder.length] ?? ' '];
    if (!/[\w.-]/.test(before) && !/[\w.-]/.test(after)) return true;
  }
  return false;
}

/** What may have been started between reading the last pid and listing all. */
const MEANWHILE = 500;

/** Pids are assigned in a ring: processes younger than `origin` have the pids from `origin` up to the last one assigned. */
function isOlder(pid: number, origin: number, last: number | undefined): boolean {
  if (last === undefined) return false;
  const isAhead = pid > last + MEANWHILE;
  return origin <= last ? pid < origin || isAhead : pid < origin && isAhead;
}

/** The last word of `/proc/loadavg` is the pid assigned last. */
function lastPid(): number | undefined {
  const text = readSmall('/proc/loadavg')?.trim();
  return text === undefined ? undefined : Number(text.slice(text.lastIndexOf(' ') + 1));
}

/** The name in the second field may contain spaces and parentheses, so fields are counted after its last parenthesis. */
function parseStat(text: string): Row | undefined {
  const pid = Number.parseInt(text, 10);
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ', 20);
  const [state, parent, group, session, terminal] = fields;
  const started = fields[19];
  if (!(pid > 0) || state === undefined || started === undefined) return undefined;
  return {
    pid,
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    terminal: terminal !== '0',
    started,
    zombie: state === 'Z' || state === 'X' || state === 'x',
  };
}

/** For files that fit into one read: half the cost of `readFileSync`, which does not trust sizes in `/proc`. */
function readSmall(path: string): string | undefined {
  let fd: number | undefined;
  try {
    fd = openSync(path, 'r');
    return scratch.toString('latin1', 0, readSync(fd, scratch, 0, scratch.length, null));
  } catch {
    return undefined;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

function readWhole(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}
