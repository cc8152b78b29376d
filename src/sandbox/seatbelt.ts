/**
 * A policy as a profile of macOS's `sandbox-exec`. Written from its documentation and unit-tested as text; not tried on a
 * Mac. It has neither a process space of its own nor an end with its parent: what is left behind is swept as without one.
 */
import type { Argv, Mount, Policy } from './policy.ts';

const PROGRAM = '/usr/bin/sandbox-exec';
/** What every program writes to. */
const DEVICES = ['/dev/null', '/dev/zero', '/dev/tty', '/dev/dtracehelper', '/dev/stdout', '/dev/stderr'];

export const seatbeltArgv = (policy: Policy, argv: Argv): Argv => [PROGRAM, '-p', seatbeltProfile(policy), ...argv];

/** Rules are read in order and the last that fits wins, as with mounts. */
export function seatbeltProfile({ mounts, network }: Pick<Policy, 'mounts' | 'network'>): string {
  return [
    '(version 1)',
    '(allow default)',
    '(deny file-write*)',
    `(allow file-write* ${DEVICES.map(path => `(literal ${quoted(path)})`).join(' ')} (subpath "/private/tmp") (subpath "/private/var/folders"))`,
    ...mounts.flatMap(rules),
    '(deny signal (target others))',
    ...(network === 'none' ? ['(deny network*)', '(allow network* (local ip "localhost:*"))'] : []),
    '',
  ].join('\n');
}

function rules({ as, path }: Mount): readonly string[] {
  const where = `(subpath ${quoted(path)})`;
  switch (as) {
    case 'empty':
    case 'blank':
      return [`(deny file-read* file-write* ${where})`];
    case 'read':
      return [`(allow file-read* ${where})`, `(deny file-write* ${where})`];
    case 'write':
      return [`(allow file-read* file-write* ${where})`];
  }
}

const quoted = (text: string): string => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
