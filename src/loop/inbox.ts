/** The one place below `.ralph` that is an agent's: a folder for each session, so that what one says is nobody else's. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { nothingSaid, readSaid, type Said } from '../mcp/index.ts';
import { secretValues } from '../util/secret-values.ts';
import type { Session } from './session.ts';

export const inboxOf = ({ options }: Pick<Session, 'options'>, lease: string): string =>
  join(options.folder.root, 'inbox', lease);

/** Read once, when the agent is gone; then the folder is gone too. */
export function emptyInbox(session: Session, lease: string, { isRead }: { readonly isRead: boolean }): Said {
  const inbox = inboxOf(session, lease);
  const said = isRead ? readSaid(inbox, secretValues(session.options.env)) : nothingSaid;
  rmSync(inbox, { recursive: true, force: true });
  return said;
}
