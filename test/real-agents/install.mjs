/** The programs in a cache outside the repository: several hundred megabytes that are the same for every checkout. */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { agents } from './agents.mjs';

const cache = process.env.RALPH_AGENTS_CACHE ?? join(homedir(), '.cache', 'ralph-agents');

/** Its folder in the cache, or why it could not be installed. */
export function install(name, timeout) {
  const { packages, version, run } = agents[name];
  const folder = join(cache, `${name}-${version}`);
  if (existsSync(run(folder).at(-1))) return { folder };
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private": true}\n');
  const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', ...packages];
  const npm = spawnSync('npm', args, { cwd: folder, encoding: 'utf8', timeout });
  if (npm.status === 0 && existsSync(run(folder).at(-1))) return { folder };
  return { error: (npm.stderr || String(npm.error ?? 'npm was ended')).trim().split('\n').at(-1) };
}

/** A folder with one program in it, for PATH: the agent by its own name. */
export function link(name, folder, bin) {
  const { run, program } = agents[name];
  mkdirSync(bin, { recursive: true });
  const words = run(folder).map(word => `'${word}'`);
  writeFileSync(join(bin, program), `#!/bin/sh\nexec ${words.join(' ')} "$@"\n`);
  chmodSync(join(bin, program), 0o755);
}
