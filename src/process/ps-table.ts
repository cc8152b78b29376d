/** The process table of systems without `/proc`: groups and parents from `ps`; no environments, folders or files. */

import { childProcess } from './child-process.ts';
import type { ProcessTable, Row } from './process-table.ts';

const COLUMNS = 'pid=,ppid=,pgid=,tty=,stat=,lstart=,command=';
const LINE = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\S+)\s+(\w{3}\s+\w{3}\s+\d+\s+[\d:]+\s+\d{4})(?:\s+(.*))?$/;

let bootTime: string | undefined;

export const psTable: ProcessTable = {
  boot() {
    bootTime ??= run('sysctl', ['-n', 'kern.boottime']).trim();
    return bootTime;
  },
  row: pid => rowsOf(run('ps', ['-o', COLUMNS, '-p', String(pid)]))[0],
  list: () => ({ rows: rowsOf(run('ps', ['-axo', COLUMNS])), settled: false }),
  command: pid => run('ps', ['-o', 'command=', '-p', String(pid)]).trim(),
  variable: () => undefined,
  folder: () => undefined,
  holds: () => false,
  pidLimit: () => 0,
};

function rowsOf(text: string): readonly Row[] {
  return text.split('\n').flatMap(line => {
    const [, pid, parent, group, terminal, state, started] = LINE.exec(line) ?? [];
    if (pid === undefined || state === undefined || started === undefined) return [];
    return {
      pid: Number(pid),
      parent: Number(parent),
      group: Number(group),
      // `ps` has no reliable session here; a group is always within one session, so it finds fewer processes, never wrong ones.
      session: Number(group),
      terminal: !/^(\?+|-)$/.test(terminal ?? ''),
      started: started.replace(/\s+/g, ' '),
      zombie: state.startsWith('Z'),
    };
  });
}

function run(program: string, args: readonly string[]): string {
  const env = { PATH: `${process.env.PATH ?? ''}:/bin:/usr/bin:/usr/sbin:/sbin`, LC_ALL: 'C' };
  const { stdout } = childProcess().spawnSync(program, args, {
    env,
    encoding: 'utf8',
    timeout: 10_000,
    maxBuffer: 2 ** 26,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return stdout ?? '';
}
