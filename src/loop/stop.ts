import type { StopReason } from '../events.ts';

/** Why a run ends. */
export interface Stop {
  readonly reason: StopReason;
  readonly why: string;
}
