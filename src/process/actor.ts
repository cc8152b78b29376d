/** The actor that this process acts for. */
import { userInfo } from 'node:os';
import { isatty } from 'node:tty';
import type { Actor } from '../protocol.ts';

/** `terminal` if there is one; a process that acts for somebody elsewhere passes the place. */
export function actorHere(via: Actor['via'] = viaHere()): Actor {
  return { via, ...userHere(), pid: process.pid };
}

/** `ralph serve` starts the command that its page asks for, and sets this variable. */
const viaHere = (): Actor['via'] =>
  process.env.RALPH_VIA === 'page' ? 'page' : hasTerminal() ? 'terminal' : 'command';

const hasTerminal = (): boolean => [0, 1, 2].some(stream => isatty(stream));

function userHere(): { readonly user?: string } {
  try {
    return { user: userInfo().username };
  } catch {
    // A container may run as a user without a name.
    return {};
  }
}
