/** The type of a command, and parsing argv into a call. It loads nothing that `--help` does not need. */
import { parseArgs } from 'node:util';
import { isDeadline } from '../util/deadline.ts';
import { parseDuration } from '../util/duration.ts';
import { type Failure, fail, ok, type Result } from '../util/result.ts';
import { nearest } from '../util/suggest.ts';

export interface Flag {
  readonly kind: 'switch' | 'text' | 'count' | 'number' | 'duration' | 'deadline';
  readonly brief: string;
  readonly placeholder?: string;
  readonly short?: string;
  /** The only allowed values of a text flag. */
  readonly words?: readonly string[];
}

export type Value = string | number | true;

export interface Call {
  readonly command: Command;
  readonly args: readonly string[];
  readonly flags: ReadonlyMap<string, Value>;
}

/** Returns the exit code. */
export type Handler = (call: Call) => Promise<number>;

export interface Command {
  readonly name: string;
  /** Other names of the command. */
  readonly aliases?: readonly string[];
  readonly group: string;
  readonly brief: string;
  readonly details?: readonly string[];
  readonly args: readonly {
    readonly name: string;
    readonly optional?: boolean;
    /** May be given more than once; only for the last argument. */
    readonly many?: boolean;
  }[];
  readonly flags: Readonly<Record<string, Flag>>;
  readonly load: () => Promise<Handler>;
  /** It prints only with `printOnce`, so that no stream has to be opened. */
  readonly printsOnce?: true;
}

export function parseCall(command: Command, argv: readonly string[]): Result<Call> {
  const options = Object.fromEntries(
    Object.entries(command.flags).map(([name, { kind, short }]) => [
      name,
      { type: kind === 'switch' ? ('boolean' as const) : ('string' as const), ...(short ? { short } : {}) },
    ]),
  );
  const { tokens } = parseArgs({ args: [...argv], options, strict: false, allowPositionals: true, tokens: true });
  const flags = new Map<string, Value>();
  const args: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') args.push(token.value);
    if (token.kind !== 'option') continue;
    const flag = command.flags[token.name];
    if (!flag) return fail(unknownFlag(command, typed(argv[token.index], token.rawName)));
    const value = valueOf(token.name, flag, token.value);
    if (!value.ok) return value;
    flags.set(token.name, value.value);
  }
  const required = command.args.filter(arg => !arg.optional).length;
  const missing = command.args[args.length];
  if (args.length < required && missing) return fail(usage(command, `ralph ${command.name} needs <${missing.name}>`));
  const extra = command.args.at(-1)?.many ? undefined : args[command.args.length];
  if (extra !== undefined) return fail(usage(command, `unexpected argument "${extra}"`));
  return ok({ command, args, flags });
}

function valueOf(name: string, flag: Flag, text: string | undefined): Result<Value> {
  const wrong = (expected: string) =>
    fail<Failure>({ reason: 'usage', message: `--${name} expects ${expected}${text ? `, not "${text}"` : ''}` });
  switch (flag.kind) {
    case 'switch':
      return text === undefined ? ok(true) : wrong('no value');
    case 'text':
      if (text && flag.words && !flag.words.includes(text)) return wrong(flag.words.join(' or '));
      return text ? ok(text) : wrong('a value');
    case 'count':
      return text && /^[1-9]\d*$/.test(text) ? ok(Number(text)) : wrong('a whole number of at least 1');
    case 'number':
      return text && Number(text) > 0 ? ok(Number(text)) : wrong('a number above 0');
    case 'duration': {
      const ms = text === undefined ? undefined : parseDuration(text);
      return ms ? ok(ms) : wrong('a duration such as 90s, 45m or 4h');
    }
    case 'deadline':
      return text && isDeadline(text) ? ok(text) : wrong('a time such as 07:00 or 2026-01-08T07:00');
  }
}

/** `-once` is parsed as five short flags; an error should show what was typed. */
const typed = (arg: string | undefined, rawName: string): string =>
  arg !== undefined && /^-[^-]/.test(arg) ? arg : rawName;

function unknownFlag(command: Command, raw: string): Failure {
  const near = nearest(raw.replace(/^-+/, ''), [...Object.keys(command.flags), 'help']);
  return {
    reason: 'usage',
    message: `ralph ${command.name} has no flag ${raw}`,
    hint: near ? `Did you mean --${near}?` : `See: ralph ${command.name} --help`,
  };
}

const usage = (command: Command, message: string): Failure => ({
  reason: 'usage',
  message,
  hint: `See: ralph ${command.name} --help`,
});

/** Typed accessors, so that handlers need not repeat the parser's checks. */
export const textFlag = (call: Call, name: string): string | undefined => {
  const value = call.flags.get(name);
  return typeof value === 'string' ? value : undefined;
};
export const numberFlag = (call: Call, name: string): number | undefined => {
  const value = call.flags.get(name);
  return typeof value === 'number' ? value : undefined;
};
export const switchFlag = (call: Call, name: string): boolean => call.flags.has(name);
