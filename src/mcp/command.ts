import { builtFile } from '../util/built-file.ts';

/** How the server of one iteration is started: all of it is on the command line, because agents hand on little of their environment. */
export function mcpCommand({
  context,
  inbox,
}: {
  readonly context: string;
  readonly inbox: string;
}): readonly string[] {
  return [process.execPath, builtFile('cli.cjs'), 'mcp', '--context', context, '--inbox', inbox];
}
