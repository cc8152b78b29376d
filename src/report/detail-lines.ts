/** Building blocks of lines: a label with its text, truncated lists, gates, usage. */
import type { GateResult, Usage } from '../protocol.ts';
import { shownSandbox } from '../state.ts';
import { firstFew, showTokens } from '../util/show.ts';
import type { ClockTime, Line } from './layout.ts';
import { type EndLimits, gateOutcome } from './sentences.ts';
import { dots, type Paint, say, type Tone } from './style.ts';

export interface NarrateOptions {
  readonly paint: Paint;
  readonly clockTime: ClockTime;
  readonly limits?: EndLimits | undefined;
  /** Show every step of the agent. */
  readonly verbose?: boolean | undefined;
  /** Everything is about one iteration, so no line has to name its item. */
  readonly alone?: boolean | undefined;
}

/** Longer lists end with a count of the rest. */
export const LISTED = 20;

const GATE_MARKS: Readonly<Record<GateResult['status'], { readonly mark: string; readonly tone: Tone }>> = {
  green: { mark: '✓', tone: 'good' },
  red: { mark: '✗', tone: 'bad' },
  timeout: { mark: '✗', tone: 'bad' },
  'not-run': { mark: '-', tone: 'dim' },
};

export function gateList(gates: readonly GateResult[], paint: Paint): string {
  const shown = gates.slice(0, LISTED).map(gate => {
    const { mark, tone } = GATE_MARKS[gate.status];
    return `${paint(tone, mark)} ${say(gate.name, 40)} ${paint('dim', gateOutcome(gate))}`;
  });
  return dots(...shown, gates.length > LISTED ? `and ${gates.length - LISTED} more` : '');
}

export function toneOf(gates: readonly GateResult[]): Tone {
  return gates.every(gate => gate.status === 'green') ? 'good' : 'bad';
}

/** `12.3k in · 2.1k out`; empty if the agent does not report usage. */
export function showUsage({ inputTokens, outputTokens }: Usage): string {
  if (inputTokens + outputTokens === 0) return '';
  return `${showTokens(inputTokens)} in · ${showTokens(outputTokens)} out`;
}

export function listed(words: readonly string[]): string {
  return firstFew(
    words.map(word => say(word, 120)),
    LISTED,
  );
}

export function more(count: number, label: string): readonly Line[] {
  return count > LISTED ? [detail(label, 'warn', `and ${count - LISTED} more`)] : [];
}

/** Empty for a run from before sandboxes existed. */
export function sandboxWord(run: Parameters<typeof shownSandbox>[0]): string {
  const sandbox = shownSandbox(run);
  return sandbox === undefined ? '' : sandbox === 'none' ? 'no sandbox' : `sandbox ${say(sandbox)}`;
}

export function withWhy(text: string, why: string): string {
  return why ? `${text}: ${say(why, 300)}` : text;
}

export function detail(label: string, tone: Tone, text: string): Line {
  return { type: 'detail', label, tone, text };
}
