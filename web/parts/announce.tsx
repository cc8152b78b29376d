/** What a screen reader hears unasked: verdicts and answers to what was pressed, one at a time, never the agent's steps. */
import { signal } from '@preact/signals';

const said = signal('');

export function announce(text: string): void {
  // The same words twice in a row would not be heard a second time.
  said.value = said.value === text ? `${text} ` : text;
}

export function Announcer() {
  return (
    <div class="vh" role="status" aria-live="polite" id="said">
      {said.value}
    </div>
  );
}
