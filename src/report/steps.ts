/**
 * Steps as lines below their item, with the time since the iteration began in the label column:
 *
 *     14:02  [3/12] US-003 Add the invoice table
 *            0:04       I will look at the tests first. · 12.3k tokens
 *            0:05       Bash npm test
 *                         40 passed
 *                         … 120 more lines
 */
import type { Usage } from '../protocol.ts';
import { showTokens } from '../util/show.ts';
import type { Line } from './layout.ts';
import type { Paint, Tone } from './style.ts';
import { leftOut, type Step } from './transcript.ts';

const INDENT = 2;
/** Steps of sub-agents that are nested deeper are indented no further, because that would waste width. */
const DEEPEST = 4;

export interface StepLines {
  /** When the iteration began; the label of a step is the time since then. */
  readonly since: number | undefined;
  readonly paint: Paint;
}

export function stepLines(step: Step, { since, paint }: StepLines): readonly Line[] {
  const indent = Math.min(step.depth, DEEPEST) * INDENT;
  const label = step.at === undefined || since === undefined ? '' : offset(step.at - since);
  const used = step.usage ? paint('dim', ` · ${showAll(step.usage)} tokens`) : '';
  const line = (text: string, at: number, more = indent): Line => ({
    type: 'detail',
    label: at === 0 ? label : '',
    tone: 'dim',
    text,
    indent: more,
  });
  const block = (lines: readonly string[], tone: Tone) =>
    lines.map((text, at) => line(paint(tone, text) + (at === 0 ? used : ''), at));
  const texts = step.text.split('\n');
  switch (step.kind) {
    case 'says':
      return block(texts, 'plain');
    case 'tool':
      return [line(`${paint('accent', step.tool ?? '')} ${step.text}${used}`.trimEnd(), 0)];
    case 'result': {
      const of = step.tool ? [paint('dim', `of ${step.tool}`)] : [];
      const rest = step.more ? [leftOut(step.more)] : [];
      const answer = texts[0] === '' && texts.length === 1 ? ['failed'] : texts;
      // A result directly below its call needs no time of its own.
      const below = indent + INDENT;
      return [
        ...of.map(text => line(text, 0)),
        ...[...answer, ...rest].map(text => line(paint(step.failed ? 'bad' : 'dim', text), 1, below)),
      ];
    }
    case 'error':
      return block(
        texts.map((text, at) => (at === 0 ? `error: ${text}` : text)),
        'bad',
      );
    case 'retrying':
      return [line(paint('warn', `retrying: ${step.text}`), 0)];
  }
}

const showAll = ({ inputTokens, outputTokens }: Usage): string => showTokens(inputTokens + outputTokens);

/** `0:04`, `12:40`, `1:02:05`. */
function offset(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const two = (part: number) => String(part).padStart(2, '0');
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}
