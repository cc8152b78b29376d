/** What an item has to pass. A repeating item ends the run by itself, so the final gates are its own. */
import type { Settings } from '../config/index.ts';
import type { OpenPlan } from '../plan/index.ts';
import type { Gate } from '../protocol.ts';

export const itemGates = ({ gates, final }: Settings, { plan }: OpenPlan): readonly Gate[] =>
  plan.repeats ? [...gates, ...final] : gates;
