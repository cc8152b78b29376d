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

/** Of the machine there is only what is mounted, so what a policy hides needs no mount but for a home to write to. */
export function dockerArgv({ program, image, name, user }: Container, policy: Policy, argv: Argv): Contained {
  const { mounts, network, cwd, env, home } = policy;
  const shown = mounts.filter(({ as, path }) => (as === 'read' || as === 'write') && !isSystem(path));
  return {
    argv: [
      program,
      ...['run', '--rm', '--init', '--interactive', '--name', name],
      ...['--network', network === 'none' ? 'none' : 'bridge'],
      ...['--cap-drop', 'ALL', '--security-opt', 'no-new-privileges', '--pids-limit', '4096'],
      ...(user === undefined ? [] : ['--user', user]),
      ...['--tmpfs', '/tmp:exec', '--tmpfs', `${home}:exec,mode=1777`],
      ...shown.flatMap(volume),
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

const volume = ({ as, path }: Mount): readonly string[] => [
  '--mount',
  `type=bind,source=${path},target=${path}${as === 'read' ? ',readonly' : ''}`,
];

/** Tool chains of the system are the image's own. */
const isSystem = (path: string): boolean =>
  ['/usr', '/bin', '/sbin', '/lib', '/lib64', '/etc', '/run', '/proc', '/opt', '/nix'].some(folder =>
    isWithin(path, folder),
  );
