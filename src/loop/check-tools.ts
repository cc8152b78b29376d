/** Tools that changed while an agent worked: refused, taken out of the way, and installed again where that is possible. */
import type { Passing } from '../events.ts';
import type { Finding, Item } from '../protocol.ts';
import { allGreen } from '../state.ts';
import { runChecks } from './checks.ts';
import { changedTools, removeTools } from './installed-tools.ts';
import type { Session } from './session.ts';

const RULE = 'tools-changed';

export interface Since {
  readonly item: Item;
  readonly iteration: number;
  /** When the agent was started. */
  readonly at: number;
}

export async function checkTools(session: Session, { item, iteration, at }: Since): Promise<readonly Finding[]> {
  const { workspace, settings } = session;
  const chosen = settings.rules.levels?.[RULE];
  const allow = item.allow ?? [];
  if (chosen === 'off' || allow.includes(RULE)) return [];
  const { files, installed } = changedTools(workspace.root, at);
  const [path] = files;
  if (path === undefined) return [];
  const more = files.length > 1 ? ` and ${files.length - 1} more` : '';
  if (installed) {
    return [{ rule: RULE, level: 'warn', message: `packages were installed: ${path}${more} changed`, path }];
  }
  const message = `${path}${more} changed while the agent worked, but no package manager did it; gates run these files`;
  const level = chosen ?? 'block';
  if (level === 'block') await replace(session, { files, iteration });
  return [{ rule: RULE, level, message, path }];
}

async function replace(
  session: Session,
  { files, iteration }: { readonly files: readonly string[]; readonly iteration: number },
): Promise<void> {
  const { workspace, settings, options } = session;
  const aside = session.fileOf(iteration, 'tools');
  removeTools(workspace.root, files, aside);
  session.notice('warn', `${files.slice(0, 3).join(', ')} changed behind the package manager; moved to ${aside}`);
  if (settings.setup.length > 0) {
    const place = {
      workspace,
      options: { ...options, settings: { gateEnv: ['*'] } },
      show: (event: Passing) => session.show(event),
    };
    const done = await runChecks(place, { gates: settings.setup, phase: 'item' });
    if (allGreen(done)) return;
  }
  session.halt = `an agent changed installed tools (${files[0] ?? ''}); they are in ${aside}. Install the packages again, then: ralph run`;
}
