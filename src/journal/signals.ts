/**
 * `events.jsonl` of an iteration: what the agent's stream told, one signal per line with its time. Written as it comes and
 * not synced, so that other terminals can follow; nothing depends on it. The agent could write into it too, so whoever
 * reads believes nothing: a line that is no signal is left out.
 */
import { closeSync, writeSync } from 'node:fs';
import type { AgentSignal, Usage } from '../protocol.ts';
import { createFresh } from '../util/files.ts';
import { type JsonRecord, jsonFields } from '../util/json.ts';
import { attempt } from '../util/result.ts';

/** A signal and when it came, where that is known: files of older versions do not say. */
export interface ToldSignal {
  readonly signal: AgentSignal;
  readonly at?: number;
}

export interface SignalLog {
  write(signal: AgentSignal, at: number): void;
  close(): void;
}

const MOST_BYTES = 4 * 1024 * 1024;
/** What one message can be long; far more than a person reads of it. */
const MOST_TEXT = 24_000;

/** Nothing here throws: a log that cannot be written is none, and the work goes on. */
export function openSignalLog(file: string): SignalLog {
  let fd = open(file);
  let left = MOST_BYTES;
  const close = () => {
    try {
      if (fd !== undefined) closeSync(fd);
    } catch {
      // A full disk may say so only here.
    }
    fd = undefined;
  };
  return {
    write: (signal, at) => {
      if (fd === undefined) return;
      const line = `${JSON.stringify({ at, ...bounded(signal) })}\n`;
      left -= Buffer.byteLength(line);
      try {
        if (left > 0) writeSync(fd, line);
        else {
          writeSync(fd, `${JSON.stringify({ at, type: 'error', text: FULL })}\n`);
          close();
        }
      } catch {
        close();
      }
    },
    close,
  };
}

const FULL = 'Too much to keep it all: what follows is only in the stream itself, which --raw shows.';

function open(file: string): number | undefined {
  return attempt(() => createFresh(file));
}

const bounded = (signal: AgentSignal): AgentSignal =>
  'text' in signal && signal.text.length > MOST_TEXT
    ? { ...signal, text: `${signal.text.slice(0, MOST_TEXT)}…` }
    : signal;

/** One line of such a file; undefined for what is none. */
export function parseSignal(line: string): ToldSignal | undefined {
  const fields = jsonFields(line);
  const signal = signalOf(fields);
  if (!signal) return undefined;
  return Number.isFinite(fields.at) ? { signal, at: Number(fields.at) } : { signal };
}

function signalOf(fields: JsonRecord): AgentSignal | undefined {
  const text = (key: string) => (typeof fields[key] === 'string' ? fields[key] : '');
  const named = (key: 'id' | 'from') => (text(key) ? { [key]: text(key) } : {});
  switch (fields.type) {
    case 'text':
      return { type: 'text', text: text('text'), ...named('from') };
    case 'tool':
      return { type: 'tool', name: text('name'), detail: text('detail'), ...named('id'), ...named('from') };
    case 'result':
      return {
        type: 'result',
        text: text('text'),
        lines: amount(fields.lines),
        ...(fields.failed === true ? { failed: true } : {}),
        ...named('id'),
        ...named('from'),
      };
    case 'error':
      return { type: 'error', text: text('text') };
    case 'usage': {
      const costUsd = amount(fields.costUsd);
      return { type: 'usage', usage: usageOf(fields.usage), ...(costUsd ? { costUsd } : {}) };
    }
    case 'retrying':
      return { type: 'retrying', detail: text('detail') };
    case 'finished':
      return { type: 'finished' };
    default:
      return undefined;
  }
}

function usageOf(value: unknown): Usage {
  const fields = (typeof value === 'object' && value !== null ? value : {}) as JsonRecord;
  const [inputTokens, outputTokens] = [amount(fields.inputTokens), amount(fields.outputTokens)];
  return { inputTokens, outputTokens, cachedTokens: amount(fields.cachedTokens) };
}

const amount = (value: unknown): number =>
  typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0;
