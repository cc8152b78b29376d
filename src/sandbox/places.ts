/** Folders of the machine that are not reported inside: shown empty. */
import { dirname } from 'node:path';
import { realPath } from '../util/paths.ts';
import { isLink, isWithin, kindOf } from './paths.ts';

/** Homes, temporary files, sockets and other disks. */
const HIDDEN = ['/root', '/home', '/tmp', '/var/tmp', '/run', '/var/run', '/mnt', '/media', '/Users', '/Volumes'];
/** What only root can read anyway. */
const ROOTS_FOLDERS = ['/etc/ssh', '/var/lib/docker', '/var/lib/containerd', '/var/spool/cron', '/etc/sudoers.d'];
const ROOTS_FILES = ['/etc/shadow', '/etc/shadow-', '/etc/gshadow', '/etc/gshadow-', '/etc/sudoers'];

/** Root writes here by the owner's right, with no capability: a program of its choice would be started outside. */
const KERNEL = ['/proc/sys', '/proc/sysrq-trigger', '/proc/irq', '/proc/bus', '/proc/fs'];

/** Folders of the system: what lies beside a repository in there is no other repository. */
const SYSTEM = ['/', '/usr', '/usr/local', '/opt', '/etc', '/var', '/nix', '/snap', '/lib', '/bin', '/sbin', '/srv'];

/** Below `/run`, but needed by programs that have nothing to do with sockets. */
const NEEDED = [
  '/etc/resolv.conf',
  '/run/systemd/resolve',
  '/run/current-system',
  '/run/opengl-driver',
  '/run/wrappers',
];

export interface Places {
  readonly home: string;
  /** Top of the person's checkout. */
  readonly repository: string;
  readonly isRoot: boolean;
}

/** Outer folders first: what is inside one of them need not be hidden again. */
export function hiddenFolders({ home, repository, isRoot }: Places): readonly string[] {
  const beside = dirname(repository);
  const all = [
    ...HIDDEN,
    realPath(home),
    ...(SYSTEM.includes(beside) ? [] : [beside]),
    ...(isRoot ? ROOTS_FOLDERS : []),
  ];
  const folders = [...new Set(all.filter(path => kindOf(path) === 'folder' && !isLink(path)).map(realPath))];
  return folders
    .filter(path => path !== '/' && !folders.some(other => other !== path && isWithin(path, other)))
    .toSorted();
}

export const hiddenFiles = ({ isRoot }: Places): readonly string[] =>
  isRoot ? ROOTS_FILES.filter(path => kindOf(path) === 'file') : [];

export const kernelSettings = ({ isRoot }: Places): readonly string[] => (isRoot ? KERNEL : []);

/** The way names are looked up is a link into a hidden folder on most machines. */
export const neededFolders = (): readonly string[] =>
  NEEDED.map(realPath).filter(path => kindOf(path) !== undefined && isWithin(path, '/run'));
