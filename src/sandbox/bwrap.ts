/** A policy as a command line of bubblewrap. */
import type { Argv, Mount, Policy } from './policy.ts';

/** Spawned as it is: a shell in between would outlive the runner. */
export function bwrapArgv(program: string, { mounts, network, cwd }: Omit<Policy, 'env' | 'home'>, argv: Argv): Argv {
  return [
    program,
    ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'],
    ...mounts.flatMap(mountOptions),
    // Nothing inside can see, signal or outlive anything outside; and when the runner dies, so does all of it.
    ...['--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try', '--die-with-parent'],
    ...(network === 'none' ? ['--unshare-net'] : []),
    // Started by root, bubblewrap would leave root's capabilities, and with them the way to mount everything again.
    ...['--cap-drop', 'ALL'],
    ...['--chdir', cwd, '--'],
    ...argv,
  ];
}

function mountOptions({ as, path }: Mount): readonly string[] {
  switch (as) {
    case 'empty':
      return ['--tmpfs', path];
    case 'blank':
      return ['--ro-bind', '/dev/null', path];
    case 'read':
      return ['--ro-bind', path, path];
    case 'write':
      return ['--bind', path, path];
  }
}
