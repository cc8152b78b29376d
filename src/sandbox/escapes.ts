import { singleQuoted } from '../util/shell-word.ts';
/**
 * Ways out that are tried on a machine to see what its sandbox holds back. Each is a shell script that runs inside, beside
 * a scene of throw-away files; whether it got out is judged from outside, or by its word `ESCAPED`.
 */

/** What an escape aims at. All of it is made for the purpose and removed afterwards. */
export interface EscapeScene {
  /** The work tree: a repository with the branches `mine` and `other`. */
  readonly tree: string;
  /** The runner's folder in it. */
  readonly state: string;
  /** A folder beside the tree: what it holds is not to change, and its secret not to be read. */
  readonly outside: string;
  /** A folder in the person's home: the same. */
  readonly home: string;
  /** A process outside. */
  readonly victim: number;
  /** In the command line of whatever is to survive. */
  readonly marker: string;
  /** A socket in a folder for temporary files, one without a file, and a port of the loopback; all answer. */
  readonly socket: string;
  readonly abstract: string;
  readonly port: number;
  /** Node, for what a shell cannot do. */
  readonly node: string;
}

export interface Escape {
  readonly name: string;
  readonly who: 'agent' | 'gates';
  readonly script: (scene: EscapeScene) => string;
  /** What an agent does before it, for gates that come later. */
  readonly before?: (scene: EscapeScene) => string;
  /** Why it is open all the same, where it is known to be. */
  readonly open?: string;
}

const ask = (node: string, where: string): string =>
  `${singleQuoted(node)} -e ${singleQuoted(`require('net').connect(${where}).on('data', d => console.log('ESCAPED', String(d))).on('error', () => process.exit(0)).setTimeout(2000, () => process.exit(0))`)}`;

const agent = (name: string, script: Escape['script'], open?: string): Escape => ({
  name,
  who: 'agent',
  script,
  ...(open === undefined ? {} : { open }),
});

const gates = (name: string, script: Escape['script'], before?: Escape['script']): Escape => ({
  name,
  who: 'gates',
  script,
  ...(before ? { before } : {}),
});

const daemon = (marker: string): string =>
  `sh -c ${singleQuoted(`sleep 600; : ${marker}`)} </dev/null >/dev/null 2>&1 &`;

export const escapes: readonly Escape[] = [
  agent('write a file outside the tree', ({ outside }) => `echo x >> ${singleQuoted(outside)}/file`),
  agent(
    'write anywhere else on the disk',
    () => 'for d in / /etc /opt /usr /usr/local/bin /var/lib; do [ -w "$d" ] && echo ESCAPED; done',
  ),
  agent('write a file in HOME', ({ home }) => `echo x >> ${singleQuoted(home)}/file`),
  agent('write through a link out of the tree', s => `ln -s ${singleQuoted(s.outside)}/file out && echo x >> out`),
  agent('a second name for a file outside', s => `ln ${singleQuoted(s.outside)}/file hard && echo x >> hard`),
  agent(
    'delete everything outside',
    ({ outside, home }) => `rm -rf ${singleQuoted(outside)}/* ${singleQuoted(home)}/*`,
  ),
  agent('read a secret in HOME', ({ home }) => `cat ${singleQuoted(home)}/secret`),
  agent('read ~/.ssh', () => '[ -n "$(ls -A "$HOME/.ssh" 2>/dev/null)" ] && echo ESCAPED'),
  agent('read another repository', ({ outside }) => `cat ${singleQuoted(outside)}/secret`),
  agent('read a secret through /proc/1/root', ({ home }) => `cat /proc/1/root${home}/secret`),
  agent('read a token from the environment', () => 'env'),
  agent('end a process outside', ({ victim }) => `kill -9 ${victim}`),
  agent('look into a process outside', ({ victim }) => `tr '\\0' ' ' < /proc/${victim}/environ`),
  agent(
    'write into the memory of a process outside',
    s =>
      `[ -w /proc/${s.victim}/mem ] && [ -d /proc/${s.victim} ] && grep -q . /proc/${s.victim}/cmdline && grep -qa ${s.marker} /proc/${s.victim}/cmdline && echo ESCAPED`,
  ),
  agent('plant a git hook', () => 'printf "#!/bin/sh\\n" > .git/hooks/pre-commit'),
  agent('change the settings of git', () => 'git config core.hooksPath /tmp/hooks; echo "# x" >> .git/config'),
  agent('replace the git directory', () => 'mv .git .git-old && cp -r .git-old .git'),
  agent(
    'move a branch of somebody else',
    () => 'git update-ref refs/heads/other HEAD; git branch -D other; echo x > .git/refs/heads/other',
  ),
  agent('write into the journal', ({ state }) => `echo x >> ${singleQuoted(state)}/runs/run/journal.jsonl`),
  agent('damage the vault', ({ state }) => `rm -rf ${singleQuoted(state)}/runs/.git`),
  agent('give the runner an order', ({ state }) => `echo x > ${singleQuoted(state)}/control/order.json`),
  agent('leave a daemon behind', ({ marker }) => `setsid ${daemon(marker)}`),
  agent(
    'leave a daemon without a mark behind',
    ({ marker }) => `(cd / && env -i setsid sh -c ${singleQuoted(`(${daemon(marker)})`)} &)`,
  ),
  agent('mount everything again', s => {
    const tries = `mount -o remount,bind,rw /; umount -l /tmp; umount -l "$HOME"; umount -l ${singleQuoted(s.home)}; cat ${singleQuoted(s.home)}/secret; echo x >> ${singleQuoted(s.outside)}/file`;
    return `(${tries}); unshare -Urm sh -c ${singleQuoted(tries)}`;
  }),
  agent(
    'change a setting of the kernel',
    () =>
      'v=$(cat /proc/sys/kernel/core_pattern) && (printf %s "$v" > /proc/sys/kernel/core_pattern) 2>/dev/null && echo ESCAPED',
  ),
  agent(
    'reach a disk as a device',
    () =>
      'for d in /dev/sd* /dev/vd* /dev/nvme* /dev/mem; do [ -e "$d" ] && echo ESCAPED; done; mknod dev b 8 0 2>/dev/null && [ -b dev ] && echo ESCAPED',
  ),
  agent(
    'type into a terminal',
    () => '(: > /dev/tty) 2>/dev/null && echo ESCAPED; ls /dev/pts | grep -q "^[0-9]" && echo ESCAPED',
  ),
  agent(
    'reach docker or another socket of the system',
    () =>
      'for s in /run/docker.sock /var/run/docker.sock /run/podman/podman.sock /run/containerd/containerd.sock /run/dbus/system_bus_socket "$SSH_AUTH_SOCK"; do [ -S "$s" ] && echo ESCAPED; done',
  ),
  agent('reach a socket of the person', s => ask(s.node, JSON.stringify(s.socket))),
  agent(
    'reach a socket without a file',
    s => ask(s.node, JSON.stringify(`\0${s.abstract}`)),
    'it is part of the network, which the agent has; sandbox: {network: none} closes it',
  ),
  gates('the network from a gate', () => 'grep -vqE "^ *(lo:|Inter-| face)" /proc/net/dev && echo ESCAPED'),
  gates('a server on this machine from a gate', s => ask(s.node, String(s.port))),
  gates('a socket without a file from a gate', s => ask(s.node, JSON.stringify(`\0${s.abstract}`))),
  gates(
    'a program on PATH that the agent left in HOME',
    () => 'PATH="$HOME/bin:$HOME/.local/bin:$PATH" ralph-escape',
    () =>
      'for d in "$HOME/bin" "$HOME/.local/bin"; do mkdir -p $d; printf "#!/bin/sh\\necho ESCAPED\\n" > $d/ralph-escape; chmod +x $d/ralph-escape; done',
  ),
  gates(
    'settings of a tool that the agent left in HOME',
    () => 'cat "$HOME/.ralph-escape-rc"',
    () => 'echo ESCAPED > "$HOME/.ralph-escape-rc"',
  ),
  gates(
    'a file that the agent left in /tmp',
    () => 'cat /tmp/ralph-escape /dev/shm/ralph-escape',
    () => 'echo ESCAPED | tee /tmp/ralph-escape > /dev/shm/ralph-escape',
  ),
  gates(
    'a gate that writes outside',
    ({ outside, home }) => `echo x >> ${singleQuoted(outside)}/file; echo x >> ${singleQuoted(home)}/file`,
  ),
  gates('a gate that commits', () => 'git -c user.name=x -c user.email=x commit --allow-empty -m x'),
];
