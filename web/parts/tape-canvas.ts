/** The tape of a long run: as many columns as there are pixels, each showing its worst verdict. */
import type { VerdictWord } from '../../src/view/index.ts';
import { colours } from './colours.ts';
import type { TapeMark } from './tape-marks.ts';

/** In this order, the later of two neighbours is shown. */
const WORSE: readonly VerdictWord[] = ['accepted', 'progress', 'open', 'aborted', 'retry', 'rejected', 'blocked'];
const HEIGHTS: Readonly<Record<VerdictWord, number>> = {
  accepted: 24,
  progress: 20,
  open: 28,
  aborted: 10,
  retry: 6,
  rejected: 13,
  blocked: 24,
};
const COLUMN = 3;
const HEIGHT = 34;

export function drawTape(canvas: HTMLCanvasElement, marks: readonly TapeMark[], current: number | undefined): void {
  const width = canvas.clientWidth;
  const ratio = devicePixelRatio;
  canvas.width = Math.round(width * ratio);
  canvas.height = HEIGHT * ratio;
  const context = canvas.getContext('2d');
  if (!context || width === 0) return;
  context.scale(ratio, ratio);
  const colour = colours();
  const fills: Readonly<Record<VerdictWord, string>> = {
    accepted: colour.ok,
    progress: colour.ok,
    open: colour.live,
    aborted: colour.idle,
    retry: colour.wait,
    rejected: colour.no,
    blocked: colour.halt,
  };
  const columns = Math.min(marks.length, Math.floor(width / COLUMN));
  const step = width / columns;
  for (let column = 0; column < columns; column += 1) {
    const from = Math.floor((column * marks.length) / columns);
    const to = Math.max(from + 1, Math.floor(((column + 1) * marks.length) / columns));
    let worst: VerdictWord = 'accepted';
    for (const { verdict } of marks.slice(from, to)) {
      if (verdict && WORSE.indexOf(verdict) > WORSE.indexOf(worst)) worst = verdict;
    }
    context.fillStyle = fills[worst];
    const height = HEIGHTS[worst];
    context.fillRect(column * step, HEIGHT - height, Math.max(1, step - 1), height);
    if (worst === 'blocked') context.clearRect(column * step, HEIGHT - 16, step, 4);
  }
  if (current === undefined) return;
  context.strokeStyle = colour.ink;
  context.lineWidth = 2;
  const x = ((current + 0.5) / marks.length) * width;
  context.strokeRect(x - 3, 3, 6, HEIGHT - 2);
}
