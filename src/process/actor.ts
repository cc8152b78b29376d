/** Who uses this process. */
import { userInfo } from 'node:os';
import { isatty } from 'node:tty';
import type { Actor } from '../protocol.ts';

/** A terminal where there is one; whoever acts for somebody elsewhere names the place. */
export function actorHere(via: Actor['via'] = viaHere()): Actor {
  return { via, ...userHere(), pid: process.pid };
}

/** `ralph serve` starts the command that its page asks for, and says so. */
const viaHere = (): Actor['via'] =>
  process.env.RALPH_VIA === 'page' ? 'page' : hasTerminal() ? 'terminal' : 'command';

const hasTerminal = (): boolean => [0, 1, 2].some(stream => isatty(stream));

function userHere(): { readonly user?: string } {
  try {
    return { user: userInfo().username };
  } catch {
    // A container may run as a user that has no name.
    return {};
  }
}
