/** Line icons of 16 px, in the colour of the surrounding text. */
import type { ComponentChildren } from 'preact';

const SHAPES = {
  now: (
    <>
      <circle cx="8" cy="8" r="5.5" />
      <path d="M8 5v3.2l2 1.3" />
    </>
  ),
  plan: <path d="M6 3.5h7M6 8h7M6 12.5h7M3 3.5h.1M3 8h.1M3 12.5h.1" />,
  time: <path d="M2.5 4h6M5 8h7M8 12h5.5" />,
  cost: <path d="M2.5 13V3M2.5 13h11M4.5 10.5l3-3.5 2.5 2 3.5-5" />,
  morning: <path d="M1.8 12.5h12.4M4 12.5a4 4 0 0 1 8 0M8 3v2M3 6l1.3 1.2M13 6l-1.3 1.2" />,
  lesson: <path d="M3 3.2c2-.7 3.6-.4 5 .8 1.4-1.2 3-1.5 5-.8v9.3c-2-.7-3.6-.4-5 .8-1.4-1.2-3-1.5-5-.8zM8 4v9" />,
  archive: <path d="M2.5 3h11v3h-11zM3.5 6v7h9V6M6.5 9h3" />,
  find: (
    <>
      <circle cx="7" cy="7" r="4" />
      <path d="m10 10 3.5 3.5" />
    </>
  ),
  read: <path d="M4 2.5h5.5L12.5 5.5v8h-8.5zM9.3 2.7v3h3" />,
  grep: (
    <>
      <circle cx="7" cy="7" r="3.6" />
      <path d="m9.8 9.8 3 3M5.6 7h2.8" />
    </>
  ),
  edit: <path d="m3 13 .7-3L10.5 3.2l2.3 2.3L6 12.3zM9.2 4.5l2.3 2.3" />,
  bash: (
    <>
      <rect x="2" y="3" width="12" height="10" rx="1.5" />
      <path d="m4.5 6 2 2-2 2M8.5 10h3" />
    </>
  ),
  say: <path d="M2.5 3.5h11v7.5H7l-3 2.5V11H2.5z" />,
  pause: <path d="M5.5 3.5v9M10.5 3.5v9" stroke-width="2" />,
  stop: <rect x="4" y="4" width="8" height="8" rx="1" />,
  go: <path d="m5 3.5 7 4.5-7 4.5z" />,
  copy: (
    <>
      <rect x="5" y="5" width="8" height="8.5" rx="1" />
      <path d="M3 10.5V3h7" />
    </>
  ),
  branch: (
    <>
      <circle cx="4.5" cy="3.5" r="1.6" />
      <circle cx="4.5" cy="12.5" r="1.6" />
      <circle cx="11.5" cy="5.5" r="1.6" />
      <path d="M4.5 5.1v5.8M11.5 7.1c0 2.6-4 2.2-6.4 4" />
    </>
  ),
  skip: <path d="m4 4 5 4-5 4zM12 4v8" />,
  hint: <path d="M8 2.5a4 4 0 0 1 2.2 7.3V11H5.8V9.8A4 4 0 0 1 8 2.5zM6.3 13.2h3.4" />,
  lock: (
    <>
      <rect x="3.5" y="7" width="9" height="6" rx="1" />
      <path d="M5.5 7V5a2.5 2.5 0 0 1 5 0v2" />
    </>
  ),
  more: (
    <>
      <circle cx="3.5" cy="8" r="1" />
      <circle cx="8" cy="8" r="1" />
      <circle cx="12.5" cy="8" r="1" />
    </>
  ),
} satisfies Record<string, ComponentChildren>;

export type IconName = keyof typeof SHAPES;

export function Icon({ name, size = 16 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      stroke-width="1.35"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      {SHAPES[name]}
    </svg>
  );
}

/** The logo: a loop that ends in a tick. */
export function Sign() {
  return (
    <svg
      width="20"
      height="20"
      viewBox="0 0 20 20"
      fill="none"
      stroke="currentColor"
      stroke-width="2"
      stroke-linecap="round"
      aria-hidden="true"
    >
      <path d="M16.5 7A7 7 0 1 0 17 10.5" />
      <path d="m6.8 10 2.4 2.5L17.5 4" stroke="var(--ok)" />
    </svg>
  );
}
