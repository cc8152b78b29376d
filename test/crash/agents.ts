/** Waiting for agents, and ending those a test left on purpose. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Repo } from '../support/repo.ts';
import { agentsOf } from './oracle.ts';

export async function until(what: () => boolean, ms = 120_000): Promise<void> {
  for (const end = Date.now() + ms; !what(); await sleep(10)) {
    if (Date.now() > end) throw new Error(`waited ${ms} ms in vain`);
  }
}

/** As a reboot does. */
export async function endAgentsOf(repo: Repo): Promise<void> {
  for (const agent of agentsOf(repo)) {
    try {
      process.kill(Number.parseInt(agent, 10), 'SIGKILL');
    } catch {
      // Gone already.
    }
  }
  await until(() => agentsOf(repo).length === 0);
}
