/** Reinstalls packages that an agent changed, before the gates run, and reports them. */

import { isManifest, roleOf } from '../audit/index.ts';
import { runChecks } from '../checks/index.ts';
import { configName } from '../config/index.ts';
import type { Installer } from '../custody/index.ts';
import type { Passing } from '../events.ts';
import type { Change, Finding, Gate, Item } from '../protocol.ts';
import { allGreen } from '../state.ts';
import { fail, ok, type Result } from '../util/result.ts';
import { firstFew } from '../util/show.ts';
import type { Session } from './session.ts';

const RULE = 'tools-changed';

export interface ToolChanges {
  readonly item: Item;
  readonly iteration: number;
  /** Changed files of installed packages. */
  readonly tools: readonly string[];
  readonly changes: readonly Change[];
  /** The attempt is already rejected, so nothing needs to be installed for it. */
  readonly refused: boolean;
}

export async function checkTools(session: Session, made: ToolChanges): Promise<readonly Finding[]> {
  const { item, iteration, tools, changes, refused } = made;
  const chosen = session.settings.rules.levels?.[RULE];
  const [path] = tools;
  if (path === undefined) return refused ? [] : await again(session);
  if (chosen === 'off' || (item.allow ?? []).includes(RULE)) return [];
  const what = `${firstFew(tools, 1)} changed while the agent worked`;
  if (chosen === 'note' || chosen === 'warn') return [{ rule: RULE, level: chosen, message: what, path }];
  const lockfiles = changes.map(change => change.path).filter(each => roleOf(each) === 'lockfile' || isManifest(each));
  const aside = session.fileOf(iteration, 'tools');
  const found = await session.packages.installAgain({ changed: tools, lockfiles, aside, refused }, installer(session));
  const block = (why: string): readonly Finding[] => [{ rule: RULE, level: 'block', message: what + why, path }];
  switch (found.type) {
    case 'later':
      return [];
    case 'installed':
      return [{ rule: RULE, level: 'warn', message: `${what}; installed again before the gates: ${found.how}`, path }];
    case 'failed':
      return block(`, and they could not be installed again: ${found.how} failed on what the agent left`);
    case 'no-command':
      halt(session, path);
      return block('; gates run with these files, and without `setup` they cannot be installed again');
  }
}

function halt(session: Session, path: string): void {
  session.halt = `an agent changed installed packages (${path}), and nothing here says how to install them. Add to ${configName(session.settings)}: setup: [<the command that installs them>]. Install the packages again, then: ralph run`;
}

/** The same after an iteration that was cut off. */
export function toolsCutOff(session: Session, tools: readonly string[], iteration: number): void {
  const [path] = tools;
  if (path === undefined) return;
  const aside = session.fileOf(iteration, 'tools');
  const { type } = session.packages.afterCrash(tools, { aside, setup: session.settings.setup });
  if (type === 'no-command') halt(session, path);
}

/** If the lockfile of an earlier attempt is no longer in the tree, the packages installed from it are removed, too. */
async function again(session: Session): Promise<readonly Finding[]> {
  const ready = await readyTools(session);
  return ready.ok ? [] : [{ rule: RULE, level: 'block', message: ready.error.message }];
}

/** Before an agent starts: replaces packages that were installed from a lockfile that is no longer in the tree. */
export async function readyTools(session: Session): Promise<Result<void>> {
  const found = await session.packages.ready(installer(session));
  if (found?.type !== 'failed') return ok(undefined);
  return fail({
    reason: 'setup-failed',
    message: `packages that an agent had changed could not be installed again: ${found.how} failed`,
    hint: `Run it yourself, then: ralph run`,
  });
}

const installer = (session: Session): Installer => ({
  setup: session.settings.setup,
  install: commands => install(session, commands),
});

async function install(session: Session, gates: readonly Gate[]): Promise<boolean> {
  const { workspace, options } = session;
  const place = {
    workspace,
    // The install commands are the person's own, and a private registry may need its token.
    options: { ...options, settings: { gateEnv: ['*'] } },
    show: (event: Passing) => session.show(event),
    guarded: <T>(act: () => Promise<T>) => session.guarded(act),
  };
  session.notice('info', `installing packages again: ${gates.map(({ run }) => run).join(' && ')}`);
  const done = await runChecks(place, { gates, phase: 'item', installs: true });
  await session.ignored.noteTools();
  return allGreen(done);
}
