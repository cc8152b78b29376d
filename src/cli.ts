#!/usr/bin/env node
/** argv → library call → printer → exit code. */
import { commandNamed, commands } from './cli/commands.ts';
import { commandHelp, generalHelp } from './cli/help.ts';
import type { Failure } from './util/result.ts';

declare const __VERSION__: string;

let isCrashing = false;

void start();

/** Not a top-level await, because the program is built as CommonJS, which does not support it. */
async function start(): Promise<void> {
  // These also catch errors that nothing awaits: a throw in a timer, or a rejected promise without a handler.
  process.on('uncaughtException', error => void crashed(error));
  process.on('unhandledRejection', error => void crashed(error));
  try {
    process.exitCode = await main(process.argv.slice(2));
  } catch (error) {
    await crashed(error);
  }
}

/** Reports a bug or a disk error: one sentence on the terminal, the details in a file. */
async function crashed(error: unknown): Promise<void> {
  // An error during crash reporting has nowhere left to go.
  if (isCrashing) return;
  isCrashing = true;
  try {
    const { reportCrash } = await import('./cli/crash.ts');
    process.exit(reportCrash(error));
  } catch {
    // The installed program is incomplete, for example because an update is being installed right now.
    process.stderr.write(`ralph: ${error instanceof Error ? error.message.split('\n')[0] : 'it could not go on'}\n`);
    process.exit(1);
  }
}

/** `--help` and `--version` load nothing but this file. */
async function main(argv: readonly string[]): Promise<number> {
  const [name, ...rest] = argv;
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') return await help(rest[0]);
  if (name === '--version' || name === '-v') return print(`${__VERSION__}\n`);
  const command = commandNamed(name);
  if (!command) return await unknownCommand(name);
  const end = rest.indexOf('--');
  if (rest.slice(0, end < 0 ? rest.length : end).some(arg => arg === '--help' || arg === '-h')) return await help(name);
  // A reader that went away (`ralph logs | head`, a closed terminal) must not end a run.
  if (!command.printsOnce) for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  if (rest.length === 0 && command.args.every(arg => arg.optional)) {
    // Without arguments there is nothing to parse, so the parser is not loaded.
    return await (await command.load())({ command, args: [], flags: new Map() });
  }
  const { parseCall } = await import('./cli/command.ts');
  const call = parseCall(command, rest);
  if (!call.ok) return await complain(call.error);
  return await (await command.load())(call.value);
}

async function help(about: string | undefined): Promise<number> {
  const command = about === undefined ? undefined : commandNamed(about);
  if (about !== undefined && !command) return await unknownCommand(about);
  const text = command ? commandHelp(command) : generalHelp(commands);
  const columns = process.stdout.isTTY && process.stdout.columns;
  if (!columns || text.split('\n').every(line => line.length <= columns)) return print(text);
  return print((await import('./cli/wrap-help.ts')).wrapHelp(text, columns));
}

async function unknownCommand(name: string): Promise<number> {
  const { nearest } = await import('./util/suggest.ts');
  const known = name.startsWith('-')
    ? ['--help', '--version']
    : commands.flatMap(command => [command.name, ...(command.aliases ?? [])]);
  const near = nearest(name, known);
  const what = name.startsWith('-') ? `there is no flag ${name}` : `there is no command "${name}"`;
  return await complain({
    reason: 'usage',
    message: what,
    hint: near ? `Did you mean: ralph ${near}` : 'See: ralph --help',
  });
}

function print(text: string): number {
  process.stdout.on('error', () => undefined);
  process.stdout.write(text);
  return 0;
}

async function complain(failure: Failure): Promise<number> {
  const { describeFailure } = await import('./util/result.ts');
  process.stderr.write(`ralph: ${describeFailure(failure)}\n`);
  return 2;
}
