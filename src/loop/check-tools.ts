/**
 * Gates run with the packages that the set-up installed. Where an agent changed installed packages, by hand or with a
 * package manager, they are taken away and installed again from the lockfile it leaves; where that is not possible, the
 * attempt is refused.
 */

import { isManifest, roleOf } from '../audit/index.ts';
import { runChecks } from '../checks/index.ts';
import type { Passing } from '../events.ts';
import type { Change, Finding, Gate, Item } from '../protocol.ts';
import { allGreen } from '../state.ts';
import { fail, ok, type Result } from '../util/result.ts';
import { contentKey, installOf, removeTools, toolsFolderOf } from './installed-tools.ts';
import type { Session } from './session.ts';

const RULE = 'tools-changed';

export interface ToolChanges {
  readonly item: Item;
  readonly iteration: number;
  /** Files of installed packages. */
  readonly tools: readonly string[];
  readonly changes: readonly Change[];
  /** The attempt is refused already, so nothing is worth installing for it. */
  readonly refused: boolean;
}

export async function checkTools(session: Session, made: ToolChanges): Promise<readonly Finding[]> {
  const { item, iteration, tools, changes, refused } = made;
  const { workspace, settings } = session;
  const chosen = settings.rules.levels?.[RULE];
  const [path] = tools;
  if (path === undefined && !refused && !isInstalledFromTree(session)) return await again(session);
  if (path === undefined || chosen === 'off' || (item.allow ?? []).includes(RULE)) return [];
  const what = `${path}${tools.length > 1 ? ` and ${tools.length - 1} more` : ''} changed while the agent worked`;
  if (chosen === 'note' || chosen === 'warn') return [{ rule: RULE, level: chosen, message: what, path }];

  const folders = [...new Set(tools.map(toolsFolderOf))];
  const commands = takeAway(session, { tools, folders, iteration });
  if (!commands) {
    const message = `${what}; gates run with these files, and without \`setup\` they cannot be installed again`;
    return [{ rule: RULE, level: 'block', message, path }];
  }
  const paths = changes.map(change => change.path).filter(each => roleOf(each) === 'lockfile' || isManifest(each));
  session.installedFrom = { paths, key: refused ? '' : contentKey(workspace.root, paths), folders };
  const how = commands.map(({ run }) => run).join(' && ');
  if (refused) return [];
  const installed = await install(session, commands);
  if (installed)
    return [{ rule: RULE, level: 'warn', message: `${what}; installed again before the gates: ${how}`, path }];
  session.installedFrom = { ...session.installedFrom, key: '' };
  const message = `${what}, and they could not be installed again: ${how} failed on what the agent left`;
  return [{ rule: RULE, level: 'block', message, path }];
}

const commandsFor = ({ settings, workspace }: Session, folders: readonly string[]): readonly Gate[] | undefined =>
  settings.setup.length > 0 ? settings.setup : installOf(workspace.root, folders);

/** Takes changed packages away; how they are installed again, or else a person is needed. */
function takeAway(
  session: Session,
  changed: { readonly tools: readonly string[]; readonly folders: readonly string[]; readonly iteration: number },
): readonly Gate[] | undefined {
  const commands = commandsFor(session, changed.folders);
  removeTools(session.workspace.root, changed.tools, session.fileOf(changed.iteration, 'tools'));
  if (!commands) {
    session.halt = `an agent changed installed packages (${changed.tools[0] ?? ''}), and nothing here says how to install them. Add to ralph.yaml: setup: [<the command that installs them>]. Install the packages again, then: ralph run`;
  }
  return commands;
}

/** After an iteration that was cut off: the next agent, in this process or another, finds packages installed anew. */
export function toolsCutOff(session: Session, tools: readonly string[], iteration: number): void {
  if (tools.length === 0) return;
  const folders = [...new Set(tools.map(toolsFolderOf))];
  if (commandsFor(session, folders)) session.installedFrom = { paths: [], key: '', folders };
  else takeAway(session, { tools, folders, iteration });
}

/** Whether the packages are those of the lockfile that is in the tree. */
function isInstalledFromTree({ installedFrom: from, workspace }: Session): boolean {
  return !from || (from.key !== '' && from.key === contentKey(workspace.root, from.paths));
}

/** An earlier attempt's lockfile is gone from the tree; so go the packages that were installed from it. */
async function again(session: Session): Promise<readonly Finding[]> {
  const ready = await readyTools(session);
  return ready.ok ? [] : [{ rule: RULE, level: 'block', message: ready.error.message }];
}

/** Before an agent: packages that were installed from a lockfile that is not in the tree any more go again. */
export async function readyTools(session: Session): Promise<Result<void>> {
  const from = session.installedFrom;
  const { root } = session.workspace;
  if (!from || isInstalledFromTree(session)) return ok(undefined);
  const commands = commandsFor(session, from.folders) ?? [];
  removeTools(root, from.folders, '');
  session.installedFrom = undefined;
  if (await install(session, commands)) return ok(undefined);
  const how = commands.map(({ run }) => run).join(' && ');
  return fail({
    reason: 'setup-failed',
    message: `packages that an agent had changed could not be installed again: ${how} failed`,
    hint: `Run it yourself, then: ralph run`,
  });
}

async function install(session: Session, gates: readonly Gate[]): Promise<boolean> {
  const { workspace, options } = session;
  const place = {
    workspace,
    // Installing is the person's own doing: a private registry may need its token.
    options: { ...options, settings: { gateEnv: ['*'] } },
    show: (event: Passing) => session.show(event),
    guarded: <T>(act: () => Promise<T>) => session.guarded(act),
  };
  session.notice('info', `installing packages again: ${gates.map(({ run }) => run).join(' && ')}`);
  const done = await runChecks(place, { gates, phase: 'item', installs: true });
  await session.ignored.noteTools();
  return allGreen(done);
}
