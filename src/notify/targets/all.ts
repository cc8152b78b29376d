/** Every kind of target, by the key that names it in ralph.yaml. */
import type { TargetKind } from '../../config/index.ts';
import type { Target } from '../target.ts';
import { command } from './command.ts';
import { desktop } from './desktop.ts';
import { discord } from './discord.ts';
import { email } from './email.ts';
import { ntfy } from './ntfy.ts';
import { slack } from './slack.ts';
import { telegram } from './telegram.ts';
import { webhook } from './webhook.ts';

export const targets: Readonly<Record<TargetKind, Target>> = {
  webhook,
  slack,
  discord,
  ntfy,
  telegram,
  email,
  desktop,
  command,
};
