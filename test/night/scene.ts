/** A small disk, an agent that looks like Claude Code, and what is to happen to it in the night. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cleanEnv, cliFile, type Ended } from '../support/cli.ts';
import { removeFolder } from '../support/remove-folder.ts';
import type { Repo } from '../support/repo.ts';

export interface Disk {
  readonly folder: string;
  /** Whether it can be full without the machine's own disk being full. */
  readonly small: boolean;
  remove(): void;
}

/** A file system of its own where that is allowed (root, in a container that may mount), else a folder. */
export function makeDisk(megabytes: number): Disk {
  const folder = mkdtempSync(join(tmpdir(), 'ralph-night-'));
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder], { stdio: 'ignore' });
  const small = mounted.status === 0;
  return {
    folder,
    small,
    remove: () => {
      if (small) spawnSync('umount', ['-l', folder], { stdio: 'ignore' });
      removeFolder(folder);
    },
  };
}

/** By item, what happens to it before its work, each once and in this order. */
export type Incidents = Readonly<Record<string, readonly ('limit' | 'kill-runner' | 'fill-disk')[]>>;

export interface Night {
  /** One line of a shell, as a person types it. */
  sh(line: string): Promise<Ended>;
  /** Makes room again. */
  freeDisk(): void;
  /** How often an agent was started for each item. */
  calls(): Readonly<Record<string, number>>;
  /** Processes of agents that are still there. */
  agentsLeft(): readonly string[];
}

export function makeNight(repo: Repo, incidents: Incidents): Night {
  const bin = join(repo.outside, 'bin');
  const acts = join(repo.outside, 'acts');
  const [calls, filler] = [join(repo.outside, 'calls'), join(repo.outside, 'filler')];
  mkdirSync(bin);
  mkdirSync(acts);
  for (const [item, happen] of Object.entries(incidents)) {
    happen.forEach((what, index) => writeFileSync(join(acts, `${fileName(item)}.${index}`), `${what}\n`));
  }
  program(join(bin, 'ralph'), `exec '${process.execPath}' '${cliFile}' "$@"\n`);
  program(join(bin, 'claude'), claude({ acts, calls, filler, lock: join(repo.root, '.ralph', 'lock') }));
  const env = { ...cleanEnv(repo.home), PATH: `${bin}:${process.env.PATH ?? '/usr/bin:/bin'}` };
  return {
    sh: async line => {
      const child = spawn('sh', ['-c', line], { cwd: repo.root, env, stdio: ['ignore', 'pipe', 'pipe'] });
      const text = { stdout: '', stderr: '' };
      child.stdout.on('data', (chunk: Buffer) => (text.stdout += chunk.toString('utf8')));
      child.stderr.on('data', (chunk: Buffer) => (text.stderr += chunk.toString('utf8')));
      const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
      return { code, signal, ...text };
    },
    freeDisk: () => rmSync(filler, { force: true }),
    calls: () => {
      const said = existsSync(calls) ? readFileSync(calls, 'utf8').trim().split('\n') : [];
      const counts: Record<string, number> = {};
      for (const item of said) counts[item] = (counts[item] ?? 0) + 1;
      return counts;
    },
    agentsLeft: () => commandLines().filter(line => line.includes(join(bin, 'claude'))),
  };
}

function commandLines(): readonly string[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(pid => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
      } catch {
        return '';
      }
    });
}

const fileName = (item: string): string => item.replace(/[^A-Za-z0-9]/g, '-');

function program(file: string, script: string): void {
  writeFileSync(file, `#!/bin/sh\n${script}`);
  chmodSync(file, 0o755);
}

interface Places {
  readonly acts: string;
  readonly calls: string;
  readonly filler: string;
  readonly lock: string;
}

/** Refuses a flag as Claude Code does, meets what is to happen, and else writes a file and claims the item. */
const claude = ({ acts, calls, filler, lock }: Places): string => `
for arg; do
  if [ "$arg" = maximal ]; then
    echo "error: option '--effort <level>' argument 'maximal' is invalid. Allowed choices are low, medium, high, max." >&2
    exit 1
  fi
done
cat > /dev/null
echo "$RALPH_ITEM" >> '${calls}' 2> /dev/null
name=$(printf %s "$RALPH_ITEM" | tr -c 'A-Za-z0-9' '-')
echo '{"type":"system","subtype":"init"}'
for act in '${acts}'/"$name".*; do
  [ -e "$act" ] || break
  what=$(cat "$act")
  rm -f "$act"
  case $what in
    limit)
      reset=$(($(date +%s) + 2))
      echo '{"type":"rate_limit_event","rate_limit_info":{"status":"rejected","resetsAt":'$reset'}}'
      echo '{"type":"result","subtype":"success","is_error":true,"result":"You have hit your limit","total_cost_usd":0}'
      exit 1 ;;
    kill-runner)
      echo half > "half-of-$name.txt"
      kill -9 "$(sed -n 's/.*"pid": *\\([0-9]*\\).*/\\1/p' '${lock}' | head -n 1)"
      # An agent does not notice that nobody listens any more.
      sleep 60
      exit 0 ;;
    fill-disk)
      head -c 1G /dev/zero > '${filler}' 2> /dev/null ;;
  esac
  break
done
echo "$RALPH_ITEM" > "$name.txt" 2> /dev/null
echo '{"type":"assistant","message":{"id":"m","model":"night","content":[{"type":"text","text":"Done."}]}}'
echo '{"type":"result","subtype":"success","is_error":false,"result":"Done.\\\\n\\\\nRALPH_TASK_COMPLETE: '"$RALPH_ITEM"'","total_cost_usd":0.01}'
`;
