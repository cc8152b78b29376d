/** The time that ages are computed with: the server's clock, ticking while a run is live; in a report, its creation time. */
import { signal } from '@preact/signals';

export const now = signal(Date.now());
let skew = 0;
let fixed = false;

export function setClock(serverNow: number, isFixed: boolean): void {
  skew = serverNow - Date.now();
  fixed = isFixed;
  now.value = serverNow;
}

setInterval(() => {
  if (!fixed && !document.hidden) now.value = Date.now() + skew;
}, 1000);
