/** Carries out the steps of a scenario in the current folder, as an agent's tools would. */
import { spawn } from 'node:child_process';
import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { errorText, unreachable } from '../util/result.ts';
import type { Step } from './scenario.ts';

/** What stands for `{{item}}` and the like. */
export interface Place {
  readonly item: string;
  readonly attempt: string;
  readonly iteration: string;
  readonly try: string;
}

export interface Hands {
  readonly place: Place;
  readonly print: (event: Readonly<Record<string, unknown>>) => Promise<void>;
}

/** The step ended the process. */
export interface Ended {
  readonly code: number;
}

const OUTPUT_LIMIT = 64 * 1024;

export function fill(text: string, place: Place): string {
  return text.replace(/\{\{(item|attempt|iteration|try)\}\}/g, (_, name: keyof Place) => place[name]);
}

export async function takeStep(step: Step, { place, print }: Hands): Promise<Ended | undefined> {
  const filled = (text: string) => fill(text, place);
  switch (step.type) {
    case 'say':
      await print({ type: 'text', text: filled(step.text) });
      return undefined;
    case 'tool':
      await print({ type: 'tool', name: step.name, detail: filled(step.detail) });
      return undefined;
    case 'write':
    case 'append':
    case 'replace':
    case 'delete': {
      const path = filled(step.path);
      await print({ type: 'tool', name: step.type, detail: path });
      const trouble = changeFile(step, path, filled);
      if (trouble === undefined) return undefined;
      await print({ type: 'error', class: 'logic', message: `${step.type} ${path}: ${trouble}` });
      return { code: 1 };
    }
    case 'run': {
      const command = filled(step.command);
      await print({ type: 'tool', name: 'run', detail: command });
      await print({ type: 'output', ...(await runShell(command)) });
      return undefined;
    }
    case 'sleep':
      await new Promise(resolve => setTimeout(resolve, step.ms));
      return undefined;
    case 'usage':
      await print({ ...step });
      return undefined;
    case 'rate-limit': {
      const resetAt = Date.now() + step.ms;
      await print({
        type: 'limit',
        resetAt,
        message: `usage limit reached, resets ${new Date(resetAt).toISOString()}`,
      });
      return { code: 1 };
    }
    case 'fail':
      await print({ type: 'error', class: step.class, message: filled(step.message) });
      return { code: 1 };
    case 'hang':
      // A timer keeps the process alive; a promise alone would not.
      await new Promise(() => setInterval(() => {}, 2 ** 30));
      return undefined;
    case 'ignore-term':
      process.on('SIGTERM', () => {});
      process.on('SIGINT', () => {});
      return undefined;
    case 'exit':
      return { code: step.code };
    default:
      return unreachable(step);
  }
}

type FileStep = Extract<Step, { type: 'write' | 'append' | 'replace' | 'delete' }>;

/** What went wrong, if anything did. */
function changeFile(step: FileStep, path: string, filled: (text: string) => string): string | undefined {
  try {
    if (step.type === 'delete') {
      rmSync(path, { recursive: true });
      return undefined;
    }
    if (step.type === 'replace') {
      const text = readFileSync(path, 'utf8');
      const from = filled(step.from);
      const at = text.indexOf(from);
      if (at < 0) return `"${from}" is not in it`;
      writeFileSync(path, text.slice(0, at) + filled(step.to) + text.slice(at + from.length));
      return undefined;
    }
    mkdirSync(dirname(path), { recursive: true });
    if (step.type === 'write') writeFileSync(path, filled(step.text));
    else appendFileSync(path, filled(step.text));
    return undefined;
  } catch (error) {
    return errorText(error);
  }
}

/** A failing command does not end an agent: it sees the output and continues. */
function runShell(command: string): Promise<{ readonly exit: number | string; readonly text: string }> {
  return new Promise(resolve => {
    const child = spawn(command, { shell: true, stdio: ['ignore', 'pipe', 'pipe'] });
    let text = '';
    const collect = (chunk: Buffer) => {
      if (text.length < OUTPUT_LIMIT) text += chunk.toString('utf8').slice(0, OUTPUT_LIMIT - text.length);
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    const done = (exit: number | string) => resolve({ exit, text });
    child.on('error', error => done(error.message));
    child.on('close', (code, signal) => done(code ?? signal ?? 1));
    // What the command left running holds its output open; like an agent's shell tool, this does not wait for that.
    child.on('exit', (code, signal) => setTimeout(() => done(code ?? signal ?? 1), 100));
  });
}
