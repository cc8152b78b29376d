#!/usr/bin/env node
/** argv → library call → printer → exit code. */
import { type Command, commandNamed, parseCall } from './cli/command.ts';
import { commands } from './cli/commands.ts';
import { describeFailure, type Failure } from './util/result.ts';

declare const __VERSION__: string;

process.exitCode = await main(process.argv.slice(2));

async function main(argv: readonly string[]): Promise<number> {
  // A reader that went away (`ralph logs | head`, a closed terminal) must not end a run.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  const [name, ...rest] = argv;
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') return await help(rest[0]);
  if (name === '--version' || name === '-v') return print(`${__VERSION__}\n`);
  const command = commandNamed(commands, name);
  if (!command) return await unknownCommand(name);
  const end = rest.indexOf('--');
  if (rest.slice(0, end < 0 ? rest.length : end).some(arg => arg === '--help' || arg === '-h')) return await help(name);
  const call = parseCall(command, rest);
  if (!call.ok) return complain(call.error);
  const handler = await command.load();
  return await handler(call.value);
}

async function help(about: string | undefined): Promise<number> {
  const { commandHelp, generalHelp } = await import('./cli/help.ts');
  const command: Command | undefined = about === undefined ? undefined : commandNamed(commands, about);
  if (about !== undefined && !command) return await unknownCommand(about);
  return print(command ? commandHelp(command) : generalHelp(commands));
}

async function unknownCommand(name: string): Promise<number> {
  const { nearest } = await import('./util/suggest.ts');
  const near = nearest(
    name,
    commands.flatMap(command => [command.name, ...(command.aliases ?? [])]),
  );
  const what = name.startsWith('-') ? `there is no flag ${name}` : `there is no command "${name}"`;
  return complain({ reason: 'usage', message: what, hint: near ? `Did you mean: ralph ${near}` : 'See: ralph --help' });
}

function print(text: string): number {
  process.stdout.write(text);
  return 0;
}

function complain(failure: Failure): number {
  process.stderr.write(`ralph: ${describeFailure(failure)}\n`);
  return 2;
}
