/** A seal per state. Each has its own outline, so that the shape alone identifies it; the colour repeats it. */
import type { ComponentChildren } from 'preact';

const SHAPES = {
  ok: (
    <>
      <circle cx="8" cy="8" r="7" fill="currentColor" />
      <path d="m4.8 8.2 2.2 2.2 4.2-4.6" stroke="var(--sheet)" stroke-width="1.9" />
    </>
  ),
  no: (
    <>
      <rect x="1.5" y="1.5" width="13" height="13" rx="1.5" fill="currentColor" />
      <path d="m5 5 6 6M11 5l-6 6" stroke="var(--sheet)" stroke-width="1.9" />
    </>
  ),
  halt: (
    <>
      <path d="M5.2 1h5.6L15 5.2v5.6L10.8 15H5.2L1 10.8V5.2z" fill="currentColor" />
      <path d="M4.5 8h7" stroke="var(--sheet)" stroke-width="2.2" />
    </>
  ),
  retry: <path d="M13.5 8A5.5 5.5 0 1 1 11.6 3.8M14.3 1.8v3.7h-3.7" stroke="currentColor" stroke-width="1.8" />,
  wait: (
    <path
      d="M4 1.5h8M4 14.5h8M5 1.8c0 3.7 6 4.7 6 12.4M11 1.8c0 3.7-6 4.7-6 12.4"
      stroke="currentColor"
      stroke-width="1.6"
    />
  ),
  live: (
    <>
      <circle cx="8" cy="8" r="6.2" stroke="currentColor" stroke-width="1.6" opacity=".35" />
      <path class="spin" d="M8 1.8A6.2 6.2 0 0 1 14.2 8" stroke="currentColor" stroke-width="2" />
      <circle cx="8" cy="8" r="2.4" fill="currentColor" />
    </>
  ),
  todo: <circle cx="8" cy="8" r="6" stroke="currentColor" stroke-width="1.5" />,
  held: <circle cx="8" cy="8" r="6" stroke="currentColor" stroke-width="1.5" stroke-dasharray="2.6 2.2" />,
  skip: (
    <>
      <circle cx="8" cy="8" r="6" stroke="currentColor" stroke-width="1.5" />
      <path d="M4 12 12 4" stroke="currentColor" stroke-width="1.5" />
    </>
  ),
  fix: (
    <>
      <path d="M8 1.5 15 14H1z" fill="currentColor" />
      <path d="M8 6v4M8 11.8v.3" stroke="var(--sheet)" stroke-width="1.7" />
    </>
  ),
  warn: <path d="M8 2 14.6 13.8H1.4zM8 6.5v3.2M8 11.6v.2" stroke="currentColor" stroke-width="1.6" />,
  weak: (
    <>
      <path d="M8 1.8 14.2 8 8 14.2 1.8 8z" stroke="currentColor" stroke-width="1.5" />
      <path d="M8 1.8V14.2L1.8 8z" fill="currentColor" />
    </>
  ),
  notrun: <path d="M3 8h10" stroke="currentColor" stroke-width="1.8" />,
} satisfies Record<string, ComponentChildren>;

export type SealName = keyof typeof SHAPES;
export type Tone = 'ok' | 'no' | 'halt' | 'wait' | 'live' | 'idle';

const TONES: Partial<Record<SealName, Tone>> = {
  ok: 'ok',
  no: 'no',
  halt: 'halt',
  retry: 'wait',
  wait: 'wait',
  live: 'live',
  fix: 'no',
  warn: 'wait',
  weak: 'wait',
};

export const toneOf = (name: SealName): Tone => TONES[name] ?? 'idle';

interface SealProps {
  readonly name: SealName;
  readonly size?: number;
  /** The accessible name; without it, the text beside the seal says it. */
  readonly label?: string;
}

export function Seal({ name, size = 16, label }: SealProps) {
  const said = label === undefined ? { 'aria-hidden': true } : { role: 'img' as const, 'aria-label': label };
  return (
    <svg
      class={`seal ${toneOf(name)}`}
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke-linecap="round"
      stroke-linejoin="round"
      {...said}
    >
      {label === undefined ? null : <title>{label}</title>}
      {SHAPES[name]}
    </svg>
  );
}

/** A seal with its word. */
export function Said({
  seal,
  size = 13,
  children,
}: {
  readonly seal: SealName;
  readonly size?: number;
  readonly children: ComponentChildren;
}) {
  return (
    <span class={`v ${toneOf(seal)}`}>
      <Seal name={seal} size={size} />
      {children}
    </span>
  );
}
