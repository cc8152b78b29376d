/** The gates of an item. A repeating item ends the run when it is accepted, so it has to pass the final gates, too. */
import type { Settings } from '../config/index.ts';
import type { OpenPlan } from '../plan/index.ts';
import type { Gate } from '../protocol.ts';

export const itemGates = ({ gates, final }: Settings, { plan }: OpenPlan): readonly Gate[] =>
  plan.repeats ? [...gates, ...final] : gates;
