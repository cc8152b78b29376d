/** What the launch checklist says about messages: nobody may learn in the morning that none could be sent. */
import { missingVariables } from '../config/index.ts';
import { plural } from '../util/show.ts';
import { type Finding, good, warn } from './finding.ts';
import type { Project } from './project.ts';

export function* notifyFindings({ settings, wholeEnv }: Project): Generator<Finding> {
  const { notify } = settings;
  if (notify.length === 0) return;
  const lacking = notify.flatMap(target => {
    const missing = missingVariables(target, wholeEnv);
    return missing.length === 0 ? [] : [`${target.name}: ${missing.join(', ')} is not set`];
  });
  if (lacking.length === 0) yield good('notify', `${plural(notify.length, 'target')}; try them: ralph notify test`);
  else yield warn('notify', lacking.join('; '), 'Export it where ralph run is started, then: ralph notify test');
}
