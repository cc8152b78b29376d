/** Announcements for screen readers: verdicts and results of commands, one at a time, never the agent's steps. */
import { signal } from '@preact/signals';

const said = signal('');

export function announce(text: string): void {
  // A live region does not announce the same text twice, so it is varied by a space.
  said.value = said.value === text ? `${text} ` : text;
}

export function Announcer() {
  return (
    <div class="vh" role="status" aria-live="polite" id="said">
      {said.value}
    </div>
  );
}
