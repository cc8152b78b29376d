/** A long list of rows of equal height: only the rows near the screen are in the document. */
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

interface WindowedProps<T> {
  readonly items: readonly T[];
  readonly rowHeight: number;
  readonly render: (item: T, index: number) => ComponentChildren;
  /** Scrolled into view when it changes. */
  readonly chosen?: number | undefined;
  /** The container: gets the visible rows, and the space above and below them. */
  readonly children: (rows: ComponentChildren, above: number, below: number) => ComponentChildren;
}

const BEYOND = 12;
/** Below this height, leaving rows out gains nothing. */
const SMALL_PX = 3700;

export function Windowed<T>({ items, rowHeight, render, chosen, children }: WindowedProps<T>) {
  const box = useRef<HTMLDivElement>(null);
  const [range, setRange] = useState<readonly [number, number]>(() => [0, Math.ceil(innerHeight / rowHeight) + BEYOND]);
  const isSmall = items.length * rowHeight <= SMALL_PX;

  useEffect(() => {
    if (isSmall) return undefined;
    const look = () => {
      const top = -(box.current?.getBoundingClientRect().top ?? 0);
      const from = Math.max(0, Math.floor(top / rowHeight) - BEYOND);
      const to = Math.min(items.length, Math.ceil((top + innerHeight) / rowHeight) + BEYOND);
      setRange(old => (old[0] === from && old[1] === to ? old : [from, Math.max(to, from)]));
    };
    look();
    addEventListener('scroll', look, { passive: true });
    addEventListener('resize', look);
    return () => {
      removeEventListener('scroll', look);
      removeEventListener('resize', look);
    };
  }, [isSmall, items.length, rowHeight]);

  useLayoutEffect(() => {
    if (chosen === undefined || chosen < 0 || !box.current) return;
    const top = box.current.getBoundingClientRect().top + chosen * rowHeight;
    // Below the bar at the top, above the tabs at the bottom.
    if (top < 120 || top + rowHeight > innerHeight - 60) scrollBy({ top: top - innerHeight / 2, behavior: 'instant' });
  }, [chosen]);

  const [from, to] = isSmall ? [0, items.length] : range;
  const last = Math.min(to, items.length);
  const first = Math.min(from, last);
  return (
    <div ref={box}>
      {children(
        items.slice(first, last).map((item, index) => render(item, first + index)),
        first * rowHeight,
        (items.length - last) * rowHeight,
      )}
    </div>
  );
}
