/**
 * What an agent did, step by step, from the signals of its stream: the one model that `ralph logs`, `ralph run -v`, the
 * live view and `ralph status` show, whichever agent it was, and whether it still works, is done or was cut off.
 */
import type { AgentSignal, Usage } from '../protocol.ts';
import { noUsage } from '../state.ts';
import { keepNewest } from '../util/bounded.ts';
import { plural } from '../util/show.ts';
import { harmless, say } from './style.ts';

export interface Step {
  readonly kind: 'says' | 'tool' | 'result' | 'error' | 'retrying';
  /** Epoch milliseconds, where it is known. */
  readonly at?: number;
  /** 0 for the agent itself, 1 for a sub-agent of it, and so on. */
  readonly depth: number;
  /** The agent's words, what a tool touches, or the first lines of what it answered. */
  readonly text: string;
  /** Of a tool, and of a result that does not stand right below its call. */
  readonly tool?: string;
  readonly failed?: true;
  /** Lines of a result that are left out. */
  readonly more?: number;
  /** All that is used so far, where it is not what the step before said. */
  readonly usage?: Usage;
}

export interface Transcript {
  /** The steps that a signal makes: none, or one. */
  take(signal: AgentSignal, at?: number): readonly Step[];
}

/** Of a result that is all right; an error is shown as a whole. */
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

/** More than anybody reads of one message; what came of it is bounded before it is kept. */
const LONGEST = 24_000;

/** Harmless, with no empty lines around it and never two in a row. Line by line, so that no run of blanks takes long. */
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

/** A step in one line, for where there is only one; nothing for an answer that is as it should be. */
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
