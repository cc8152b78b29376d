/** The only place below `.ralph` that an agent may write to: one folder per session, so that sessions cannot speak for each other. */
import { join } from 'node:path';
import { nothingSaid, readSaid, type Said } from '../mcp/index.ts';
import { removeAll } from '../util/remove-all.ts';
import { attempt } from '../util/result.ts';
import { secretValues } from '../util/secret-values.ts';
import type { Session } from './session.ts';

export const inboxOf = ({ options }: Pick<Session, 'options'>, lease: string): string =>
  join(options.folder.root, 'inbox', lease);

/** Reads and removes the folder after the agent has exited. */
export function emptyInbox(session: Session, lease: string, { isRead }: { readonly isRead: boolean }): Said {
  const inbox = inboxOf(session, lease);
  const said = isRead ? readSaid(inbox, secretValues(session.options.env)) : nothingSaid;
  // The name is not used again, and what stays is the agent's.
  attempt(() => removeAll(inbox));
  return said;
}
