/**
 * One vault for several pieces of code that run at once. What is there when the second begins may be the first one's doing,
 * so it is put back and not believed: only while nothing of others is at work is anything noted as it is found.
 */
import type { PutRefsBack } from './refs-back.ts';
import type { Vault } from './vault.ts';

export interface SharedVault {
  /** Before somebody else's code runs. */
  note(found: PutRefsBack['found']): Promise<readonly string[]>;
  /** After it ran. */
  putBack(found: PutRefsBack['found']): Promise<readonly string[]>;
}

export function shareVault(vault: Pick<Vault, 'note' | 'putBack' | 'putBackAmong'>): SharedVault {
  let inside = 0;
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(act: () => Promise<T>): Promise<T> => {
    const done = last.then(act);
    last = done.catch(() => undefined);
    return done;
  };
  return {
    note: found =>
      inTurn(async () => {
        const notes = inside === 0 ? [] : await vault.putBackAmong(found);
        if (inside === 0) await vault.note();
        inside += 1;
        return notes;
      }),
    putBack: found =>
      inTurn(async () => {
        inside -= 1;
        return inside === 0 ? await vault.putBack(found) : await vault.putBackAmong(found);
      }),
  };
}
