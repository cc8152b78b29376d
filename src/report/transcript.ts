/**
 * What an agent did, step by step, made from the signals of its stream. `ralph logs`, `ralph run -v`, the live view and
 * `ralph status` all show this model, for every agent, whether it still works, has ended or was cut off.
 */
import type { AgentSignal, Usage } from '../protocol.ts';
import { noUsage } from '../state.ts';
import { keepNewest } from '../util/bounded.ts';
import { plural } from '../util/show.ts';
import { harmless, say } from './style.ts';

export interface Step {
  readonly kind: 'says' | 'tool' | 'result' | 'error' | 'retrying';
  /** Epoch milliseconds, if known. */
  readonly at?: number;
  /** 0 for the agent itself, 1 for its sub-agent, and so on. */
  readonly depth: number;
  /** The agent's words, what a tool acts on, or the first lines of a result. */
  readonly text: string;
  /** The name of a tool; also set for a result that is not directly below its call. */
  readonly tool?: string;
  readonly failed?: true;
  /** How many lines of a result are left out. */
  readonly more?: number;
  /** The total usage so far, if it changed since the previous step. */
  readonly usage?: Usage;
}

export interface Transcript {
  /** The steps that a signal produces: none or one. */
  take(signal: AgentSignal, at?: number): readonly Step[];
}

/** Lines shown of a successful result; an error is shown completely. */
const SHOWN_LINES = 5;
/** Calls whose result may still come. */
const OPEN_CALLS = 500;

interface OpenCall {
  readonly depth: number;
  readonly words: string;
}

export function transcript(): Transcript {
  const calls = new Map<string, OpenCall>();
  let above: string | undefined;
  let usage = noUsage;
  let told = noUsage;

  const depthOf = (from: string | undefined): number => (from === undefined ? 0 : (calls.get(from)?.depth ?? 0) + 1);
  const step = (made: Step): readonly Step[] => {
    const changed = total(usage) !== total(told);
    told = usage;
    return [changed ? { ...made, usage } : made];
  };

  return {
    take(signal, at) {
      const when = at === undefined ? {} : { at };
      switch (signal.type) {
        case 'text': {
          const text = tidy(signal.text);
          if (text === '') return [];
          above = undefined;
          return step({ kind: 'says', ...when, depth: depthOf(signal.from), text });
        }
        case 'tool': {
          const depth = depthOf(signal.from);
          const [tool, text] = [say(signal.name, 60), say(signal.detail, 400)];
          above = signal.id;
          if (signal.id !== undefined) remember(calls, signal.id, { depth, words: `${tool} ${text}`.trim() });
          return step({ kind: 'tool', ...when, depth, tool, text });
        }
        case 'result': {
          const call = signal.id === undefined ? undefined : calls.get(signal.id);
          const own = signal.id === above ? undefined : call?.words;
          const text = tidy(signal.text);
          if (text === '' && !signal.failed) return [];
          const lines = text.split('\n');
          const shown = signal.failed ? lines : lines.slice(0, SHOWN_LINES);
          const more = Math.max(signal.lines, lines.length) - shown.length;
          return step({
            kind: 'result',
            ...when,
            depth: call?.depth ?? depthOf(signal.from),
            text: shown.join('\n'),
            ...(own ? { tool: own } : {}),
            ...(signal.failed ? { failed: true } : {}),
            ...(more > 0 ? { more } : {}),
          });
        }
        case 'error':
          return step({ kind: 'error', ...when, depth: 0, text: tidy(signal.text), failed: true });
        case 'retrying':
          return step({ kind: 'retrying', ...when, depth: 0, text: say(signal.detail, 400) });
        case 'usage':
          usage = signal.usage;
          return [];
        case 'finished':
          return [];
      }
    },
  };
}

const total = ({ inputTokens, outputTokens }: Usage): number => inputTokens + outputTokens;

function remember(calls: Map<string, OpenCall>, id: string, call: OpenCall): void {
  calls.set(id, call);
  keepNewest(calls, OPEN_CALLS);
}

/** More than anybody reads of one message; text is cut to this before it is kept. */
const LONGEST = 24_000;

/** Makes text harmless and collapses blank lines. Line by line, so that long runs of blanks stay cheap. */
function tidy(text: string): string {
  const lines = harmless(text.slice(0, LONGEST))
    .replaceAll('\t', '  ')
    .split('\n')
    .map(line => line.trimEnd());
  return lines
    .filter((line, at) => line !== '' || lines[at - 1] !== '')
    .join('\n')
    .replace(/^\n|\n$/g, '');
}

/** A step as one line, where there is room for only one; empty for a normal result. */
export function stepInOneLine(step: Step): string {
  switch (step.kind) {
    case 'says':
      return say(step.text, 200);
    case 'tool':
      return `${step.tool ?? ''} ${step.text}`.trim();
    case 'result':
      return step.failed ? `failed: ${say(step.text, 200)}` : '';
    case 'error':
      return `error: ${say(step.text, 200)}`;
    case 'retrying':
      return `retrying: ${step.text}`;
  }
}

/** `… 120 more lines`. */
export const leftOut = (lines: number): string => `… ${plural(lines, 'more line')}`;
