/** `ralph notify`, `ralph notify test [target]` */
import { configName, missingVariables, type NotifyTarget, type Settings } from '../config/index.ts';
import { type Tried, tryTargets } from '../notify/index.ts';
import { messageKinds } from '../protocol.ts';
import { openProject } from '../start/index.ts';
import type { Failure } from '../util/result.ts';
import { quoted } from '../util/shell-word.ts';
import { showDuration } from '../util/show.ts';
import { nearest } from '../util/suggest.ts';
import type { Handler } from './command.ts';
import { complain, leave, print } from './print.ts';

export const notify: Handler = async ({ args: [what, wanted] }) => {
  if (what !== undefined && what !== 'test') return complain(unknownWord(what));
  const project = await openProject({ cwd: process.cwd(), env: process.env });
  if (!project.ok) return complain(project.error.failure, project.error.exit);
  const { settings, env, wholeEnv, repository } = project.value;
  if (settings.notify.length === 0) return complain(nobody(settings));
  if (what === undefined) {
    print(settings.notify.map(target => listed(target, wholeEnv)).join('\n'));
    return 0;
  }
  const targets = settings.notify.filter(({ name }) => wanted === undefined || name === wanted);
  if (targets.length === 0)
    return complain(
      noTarget(
        wanted ?? '',
        settings.notify.map(({ name }) => name),
      ),
    );
  const tried = await tryTargets(targets, { env: wholeEnv, programEnv: env, root: repository.root });
  print(tried.map(told).join('\n'));
  return tried.some(({ why }) => why !== undefined) ? await leave(1) : 0;
};

const told = ({ target, durationMs, why }: Tried): string =>
  why === undefined
    ? `✓ ${target.name.padEnd(WIDTH)}arrived after ${showDuration(durationMs)}`
    : `✗ ${target.name.padEnd(WIDTH)}${why}`;

const WIDTH = 14;

function listed(target: NotifyTarget, env: NodeJS.ProcessEnv): string {
  const { name, kind, on, items } = target;
  const missing = missingVariables(target, env);
  const told = on.length === messageKinds.length ? 'everything' : on.join(', ');
  const about = items.length === 0 ? '' : ` of ${items.join(', ')}`;
  const lacks = missing.length === 0 ? '' : ` (not set: ${missing.join(', ')})`;
  return `${name.padEnd(WIDTH)}${kind.padEnd(10)}${told}${about}${lacks}`;
}

const unknownWord = (word: string): Failure => ({
  reason: 'usage',
  message: `ralph notify does not know "${word}"`,
  hint: 'To try every target: ralph notify test',
});

const nobody = (settings: Settings): Failure => ({
  reason: 'no-target',
  message: `no messages are configured: there is no notify in ${configName(settings)}`,
  hint: 'For example: notify: [{ntfy: "https://ntfy.sh/my-topic"}]. All targets: docs/notify.md',
});

function noTarget(wanted: string, names: readonly string[]): Failure {
  const near = nearest(wanted, names);
  const hint = near ? `Did you mean: ralph notify test ${quoted(near)}` : `There are: ${names.join(', ')}.`;
  return { reason: 'no-target', message: `there is no target named "${wanted}"`, hint };
}
