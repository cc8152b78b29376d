/** A throw-away repository with a plan, and the agent that works on it. */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { must } from './measure.mjs';

const SOURCE = fileURLToPath(new URL('./agent.c', import.meta.url));

/** The agent's argv without its own arguments, and the clock it logs with. */
export function buildAgent(folder, env) {
  const program = join(folder, 'agent');
  for (const flags of [['-O2', '-static'], ['-O2']]) {
    const built = spawnSync('cc', [...flags, '-o', program, SOURCE], { env, stdio: 'ignore' });
    if (built.status === 0) return { program, kind: 'compiled', now: () => process.hrtime.bigint() };
  }
  writeFileSync(program, SCRIPT);
  chmodSync(program, 0o755);
  return { program, kind: 'a shell script', now: () => BigInt(Date.now()) * 1_000_000n };
}

const SCRIPT = `#!/bin/sh
start=$(date +%s%N)
prompt=$(wc -c)
name=$RALPH_ITEM
[ -z "$3" ] || sleep "$(echo "$3" | sed 's/...$/.&/')"
[ "$2" = each ] || name=same
echo "$RALPH_ITEM $start" > "work/$name.txt"
printf 'Wrote the file.\\n\\nRALPH_TASK_COMPLETE: %s\\n' "$RALPH_ITEM"
echo "$start $(date +%s%N) 0 $prompt" >> "$1"
`;

export const itemId = n => `US-${String(n).padStart(4, '0')}`;

/** In longer plans nobody writes long stories. */
const WRITTEN_OUT = 2_000;

/** About 550 bytes per story, as in real plans; 140 in a plan of many thousands. */
export function story(n, { items = 1 } = {}) {
  const id = itemId(n);
  const title = `Story ${n}: keep the record of ${id} in a file of its own`;
  if (items > WRITTEN_OUT) return { id, title, priority: n, passes: false };
  return {
    id,
    title,
    description: `As a keeper of records I want ${id} written down in its own file, so that I can find it again later without having to read all the others first.`,
    acceptanceCriteria: [
      `work/${id}.txt exists and is not empty`,
      'The file starts with the id of the story',
      'Nothing else in the repository changes',
    ],
    priority: n,
    passes: false,
    notes: '',
  };
}

export function makeProject(folder, { items, agent, env, gates = [], sandbox }) {
  mkdirSync(join(folder, 'work'), { recursive: true });
  writeFileSync(join(folder, 'work', 'README.md'), 'What the agent writes.\n');
  const plan = {
    project: 'bench',
    userStories: Array.from({ length: items }, (_, index) => story(index + 1, { items })),
  };
  writeFileSync(join(folder, 'prd.json'), `${JSON.stringify(plan, undefined, 2)}\n`);
  configure(folder, { agent, gates, items, sandbox });
  for (const args of [
    ['init', '-q', '-b', 'main'],
    ['config', 'user.name', 'Bench'],
    ['config', 'user.email', 'bench@localhost'],
    ['add', '-A'],
    ['commit', '-qm', 'Start'],
    ['checkout', '-qb', 'bench'],
  ]) {
    must(['git', ...args], { cwd: folder, env });
  }
  return folder;
}

export function configure(folder, { agent, gates, items, sandbox }) {
  const config = {
    agent: Array.isArray(agent) ? { command: agent } : agent,
    gates,
    limits: { iterations: items + 10 },
    ...(sandbox && { sandbox }),
  };
  writeFileSync(join(folder, 'ralph.yaml'), `${JSON.stringify(config, undefined, 2)}\n`);
}
