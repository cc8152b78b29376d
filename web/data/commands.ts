/** Commands that the page can send to a run. */
import { signal } from '@preact/signals';
import type { CommandBody, ControlView, RunView } from '../../src/view/index.ts';
import { announce } from '../parts/announce.tsx';
import { address } from './address.ts';
import { changed, currentSource, peek } from './store.ts';

export interface Outcome {
  readonly ok: boolean;
  readonly text: string;
  /** What to do if it failed. */
  readonly hint?: string;
  /** The run asks for the code shown in its own terminal; the command is sent again with it. */
  readonly confirm?: CommandBody;
}

/** The result of the last command; shown until the next one or until it is dismissed. */
export const outcome = signal<(Outcome & { readonly run: string }) | undefined>(undefined);

export const control = ({ controls }: RunView, type: CommandBody['type']): ControlView | undefined =>
  controls.find(each => each.type === type);

export async function send(run: string, body: CommandBody): Promise<boolean> {
  const { csrf = null } = peek(address('/meta')).value ?? {};
  const answer = await currentSource().send(run, body, csrf ?? '');
  if (answer.ok) {
    outcome.value = { run, ok: true, text: answer.value.message };
    announce(answer.value.message);
  } else {
    const { message, hint, reason } = answer.error;
    const confirm = reason === 'not-confirmed' ? { confirm: body } : {};
    outcome.value = { run, ok: false, text: message, ...(hint === null ? {} : { hint }), ...confirm };
    announce(message);
  }
  changed(path => path === '/runs' || path.startsWith(`/runs/${encodeURIComponent(run)}`));
  return answer.ok;
}
