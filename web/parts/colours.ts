/** The tokens of page.css as colours for a canvas: light-dark() is resolved only where a colour is used. */

const NAMES = [
  'ink',
  'ink-2',
  'ink-3',
  'line',
  'line-2',
  'live',
  'ok',
  'no',
  'wait',
  'halt',
  'idle',
  'sheet',
  'live-tint',
] as const;

export type Colours = Readonly<Record<(typeof NAMES)[number], string>>;

export function colours(): Colours {
  const probe = document.createElement('i');
  probe.hidden = true;
  document.body.append(probe);
  const found = NAMES.map(name => {
    probe.style.color = `var(--${name})`;
    return [name, getComputedStyle(probe).color] as const;
  });
  probe.remove();
  return Object.fromEntries(found) as Colours;
}
