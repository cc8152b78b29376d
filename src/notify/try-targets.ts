/** Sends one test message to each target now, and reports the results. */
import { hostname } from 'node:os';
import { basename } from 'node:path';
import type { NotifyTarget } from '../config/index.ts';
import { shellWord } from '../report/index.ts';
import type { Message } from './message.ts';
import { senderOf, type World } from './target-line.ts';

export interface Tried {
  readonly target: NotifyTarget;
  readonly durationMs: number;
  /** Absent if the message was accepted. */
  readonly why?: string;
}

const TRY_MS = 10_000;

/** All targets at the same time, because one after the other would add up their delays. */
export function tryTargets(targets: readonly NotifyTarget[], world: World): Promise<readonly Tried[]> {
  const message = testMessage(world.root);
  return Promise.all(
    targets.map(async target => {
      const began = performance.now();
      const made = senderOf(target, world);
      const why = made.ok ? (await made.value(message, AbortSignal.timeout(TRY_MS)))?.why : made.error;
      return { target, durationMs: performance.now() - began, ...(why === undefined ? {} : { why }) };
    }),
  );
}

function testMessage(root: string): Message {
  const at = Date.now();
  return {
    id: `test-${at}`,
    kind: 'done',
    at,
    what: 'A test message: messages arrive here',
    why: 'Somebody called ralph notify test.',
    next: ['ralph status'],
    run: 'test',
    plan: '',
    branch: '',
    repository: basename(root),
    folder: shellWord(root),
    host: hostname(),
    done: 0,
    total: 0,
    blocked: 0,
    costUsd: 0,
    limitUsd: 0,
  };
}
