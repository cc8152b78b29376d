import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** How the server of one iteration is started: all of it is on the command line, because agents hand on little of their environment. */
export function mcpCommand({
  context,
  inbox,
}: {
  readonly context: string;
  readonly inbox: string;
}): readonly string[] {
  return [process.execPath, programPath(), 'mcp', '--context', context, '--inbox', inbox];
}

/** Beside the chunks of the running bundle, or in the build folder when this runs from its sources. */
function programPath(): string {
  const places = ['../cli.cjs', './cli.cjs', '../../dist/cli.cjs'];
  const paths = places.map(place => fileURLToPath(new URL(place, import.meta.url)));
  return paths.find(path => existsSync(path)) ?? paths.at(-1) ?? '';
}
