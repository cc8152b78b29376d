/** A policy as a command line of docker or podman: the image is the system, and only what the policy shows is mounted. */
import { isWithin } from './paths.ts';
import type { Argv, Contained, Mount, Policy } from './policy.ts';

export interface Container {
  /** docker or podman, as found. */
  readonly program: string;
  readonly image: string;
  /** By this name it is ended if its client dies. */
  readonly name: string;
  readonly user?: string;
}

/** Of the machine there is only what is mounted: what a policy hides needs a mount only below something that it shows. */
export function dockerArgv({ program, image, name, user }: Container, policy: Policy, argv: Argv): Contained {
  const { mounts, network, cwd, env, home } = policy;
  const inside = withinShown(onTop(mounts));
  const scratch = ['/tmp', '/var/tmp', '/run', home].filter(path => !inside.some(mount => mount.path === path));
  return {
    argv: [
      program,
      ...['run', '--rm', '--init', '--interactive', '--name', name],
      ...['--network', network === 'none' ? 'none' : 'bridge'],
      ...['--read-only', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges', '--pids-limit', '4096'],
      ...(user === undefined ? [] : ['--user', user]),
      ...scratch.flatMap(emptyFolder),
      ...inside.flatMap(mountOptions),
      ...['--workdir', cwd],
      // By name alone: values on a command line can be read by every user of the machine.
      ...Object.keys(env)
        .filter(variable => variable !== 'PATH')
        .flatMap(variable => ['--env', variable]),
      image,
      ...argv,
    ],
    env,
    cleanUp: [program, 'rm', '--force', name],
  };
}

/** An engine takes each target once and mounts outer folders first: what a later mount lies over is left out. */
const onTop = (mounts: readonly Mount[]): readonly Mount[] =>
  mounts.filter(({ path }, at) => !mounts.slice(at + 1).some(later => isWithin(path, later.path)));

function withinShown(mounts: readonly Mount[]): readonly Mount[] {
  const shown = mounts.filter(({ as, path }) => (as === 'read' || as === 'write') && !isSystem(path));
  return mounts.filter(mount => shown.includes(mount) || shown.some(({ path }) => isWithin(mount.path, path)));
}

const emptyFolder = (path: string): readonly string[] => ['--tmpfs', `${path}:exec,mode=1777`];

function mountOptions({ as, path }: Mount): readonly string[] {
  if (as === 'empty') return emptyFolder(path);
  const source = as === 'blank' ? '/dev/null' : path;
  return ['--mount', `type=bind,source=${source},target=${path}${as === 'write' ? '' : ',readonly'}`];
}

/** Tool chains of the system are the image's own. */
const isSystem = (path: string): boolean =>
  ['/usr', '/bin', '/sbin', '/lib', '/lib64', '/etc', '/run', '/proc', '/opt', '/nix'].some(folder =>
    isWithin(path, folder),
  );
