/**
 * `events.jsonl` of an iteration: the signals of the agent's stream, one per line with its time. Written without a sync as they arrive, so
 * that other terminals can follow; nothing depends on it. An agent could write to the file, too, so readers skip every line that is not a
 * signal.
 */
import { closeSync, writeSync } from 'node:fs';
import type { AgentSignal, Usage } from '../protocol.ts';
import { createFresh } from '../util/files.ts';
import { fieldsOf, type JsonRecord, jsonFields } from '../util/json.ts';
import { attempt } from '../util/result.ts';

/** A signal and its time; files of older versions have no time. */
export interface ToldSignal {
  readonly signal: AgentSignal;
  readonly at?: number;
}

export interface SignalLog {
  write(signal: AgentSignal, at: number): void;
  close(): void;
}

const MOST_BYTES = 4 * 1024 * 1024;
/** Maximum length of one message; far more than a person reads. */
const MOST_TEXT = 24_000;

/** Nothing here throws: if the log cannot be written, the work continues without it. */
export function openSignalLog(file: string): SignalLog {
  let fd = open(file);
  let left = MOST_BYTES;
  const close = () => {
    try {
      if (fd !== undefined) closeSync(fd);
    } catch {
      // Some file systems report a full disk only on close.
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

/** Parses one line of such a file; undefined if it is not a signal. */
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
  const fields = fieldsOf(value);
  const [inputTokens, outputTokens] = [amount(fields.inputTokens), amount(fields.outputTokens)];
  return { inputTokens, outputTokens, cachedTokens: amount(fields.cachedTokens) };
}

const amount = (value: unknown): number =>
  typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0;
