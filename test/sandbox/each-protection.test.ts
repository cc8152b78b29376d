/** What keeps an escape in is really there: with one option of bubblewrap taken away, the escapes that it holds back get out. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { escapes } from '../../src/sandbox/index.ts';
import { tryEscapes } from '../../src/start/try-escapes.ts';
import { cleanEnv } from '../support/cli.ts';
import { whyNoBwrap } from './bwrap-here.ts';

const refused = whyNoBwrap();
const isRoot = process.getuid?.() === 0;

interface Broken {
  readonly without: string;
  /** Cases of a shell, with `$1 $2 $3` to be looked at: what to do in place of an option. */
  readonly cases: readonly string[];
  readonly gets: readonly string[];
  /** Only root gets out by it: an ordinary user is held by the rights of files, too. */
  readonly root?: true;
}

const SHOW_HIDDEN = '"--tmpfs "*) shift 2; continue;;';
const WRITE_DISK = '"--ro-bind / /") args+=(--bind / /); shift 3; continue;;';
const WRITE_ALL = '"--ro-bind "*) args+=(--bind); shift; continue;;';

/** A machine may have none itself. */
const network = /^ *(?!lo:)\w+:/m.test(readFileSync('/proc/net/dev', 'utf8')) ? ['the network from a gate'] : [];

const broken: readonly Broken[] = [
  {
    without: 'a disk that is only read',
    cases: [WRITE_DISK],
    gets: ['write anywhere else on the disk'],
    root: true,
  },
  {
    without: 'empty folders over homes and temporary files',
    cases: [SHOW_HIDDEN],
    gets: [
      'read a secret in HOME',
      'read ~/.ssh',
      'read another repository',
      'read a secret through /proc/1/root',
      'reach a socket of the person',
    ],
  },
  {
    without: 'both',
    cases: [SHOW_HIDDEN, WRITE_DISK],
    gets: [
      'write a file outside the tree',
      'write a file in HOME',
      'write through a link out of the tree',
      'delete everything outside',
      'a program on PATH that the agent left in HOME',
      'settings of a tool that the agent left in HOME',
      'a file that the agent left in /tmp',
      'a gate that writes outside',
    ],
  },
  {
    without: 'mounts that are only read',
    cases: [WRITE_ALL],
    gets: [
      'plant a git hook',
      'change the settings of git',
      'move a branch of somebody else',
      'write into the journal',
      'damage the vault',
      'give the runner an order',
      'a gate that commits',
    ],
  },
  {
    without: 'a mount of its own for the git directory',
    cases: ['*"/.git "*) shift 3; continue;;', '*"bind "*"/.git/"*) shift 3; continue;;'],
    gets: ['replace the git directory'],
  },
  {
    without: 'a process space of its own',
    cases: ['"--unshare-pid "*) shift; continue;;'],
    gets: ['end a process outside', 'leave a daemon behind', 'leave a daemon without a mark behind'],
  },
  {
    without: 'a /proc of its own',
    cases: [
      '"--unshare-pid "*) shift; continue;;',
      '"--proc /proc "*) args+=(--bind /proc /proc); shift 2; continue;;',
    ],
    gets: ['write into the memory of a process outside'],
  },
  {
    without: 'settings of the kernel that are only read',
    cases: [WRITE_ALL],
    gets: ['change a setting of the kernel'],
    root: true,
  },
  {
    without: 'dropping what root may do',
    cases: ['"--cap-drop "*) shift 2; continue;;'],
    gets: ['mount everything again', 'reach a disk as a device'],
    root: true,
  },
  {
    without: 'a network of its own',
    cases: ['"--unshare-net "*) shift; continue;;'],
    gets: [...network, 'a server on this machine from a gate', 'a socket without a file from a gate'],
  },
];

describe.skipIf(refused !== '')(`bubblewrap without one of its options${refused}`, () => {
  it.for(broken.filter(({ root }) => isRoot || !root))('$without', async ({ cases, gets }) => {
    const home = mkdtempSync(join(tmpdir(), 'ralph-home-'));
    try {
      const program = join(home, 'bwrap');
      mkdirSync(join(home, '.ssh'));
      writeFileSync(join(home, '.ssh', 'id'), 'a key');
      const options = ['"-- "*) args+=("$@"); break;;', ...cases].join('\n');
      const loop = `while [ $# -gt 0 ]; do\ncase "$1 $2 $3" in\n${options}\nesac\nargs+=("$1"); shift\ndone`;
      writeFileSync(program, `#!/bin/bash\nargs=()\n${loop}\nexec bwrap "\${args[@]}"\n`, { mode: 0o755 });
      const facts = { allow: { read: [], write: [], env: [] }, network: 'agent', packages: [] } as const;
      const out: string[] = [];
      const trying = tryEscapes({
        env: cleanEnv(home),
        found: { tier: 'bwrap', program },
        facts,
        only: ({ name }) => gets.includes(name),
      });
      for await (const { name, result } of trying) if (result === 'escaped') out.push(name);
      expect(out.toSorted()).toEqual(gets.toSorted());
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  });

  /** These need more than an option taken away; each says what. */
  const ELSEWHERE = [
    // Two disks: what can be linked depends on the machine. Closed by the read-only disk, as writing is.
    'a second name for a file outside',
    // By name, with no option of bubblewrap: test/sandbox/policy.test.ts.
    'read a token from the environment',
    // The rights of the kernel hold root without capabilities back as well.
    'look into a process outside',
    // What is there depends on the machine.
    'type into a terminal',
    'reach docker or another socket of the system',
    'the network from a gate',
    // Said to be open.
    'reach a socket without a file',
  ];

  it('every escape is held back by one of them, or it is said why that cannot be shown here', () => {
    const shown = broken.flatMap(({ gets }) => gets);
    expect(escapes.map(({ name }) => name).filter(name => !shown.includes(name) && !ELSEWHERE.includes(name))).toEqual(
      [],
    );
  });
});
