/** Commands in a line of prose: a line is run as a check only if it contains nothing else. */

const CODE = /(`+)([^]*?[^`])\1(?!`)/y;
const BETWEEN = /\s*(?:,|;|&&|\band\b|\bthen\b)?\s*/iy;

/** `` `npm test` `` and `` `npm test`, `npm run lint` `` are commands; with any other word they are prose. */
export function plainCommands(line: string): readonly string[] {
  const commands: string[] = [];
  const words = line.trim().replace(/\.$/, '');
  for (let at = 0; at < words.length; at = BETWEEN.lastIndex) {
    CODE.lastIndex = at;
    const command = CODE.exec(words)?.[2]?.trim();
    if (command === undefined || command === '') return [];
    commands.push(command);
    BETWEEN.lastIndex = CODE.lastIndex;
    BETWEEN.exec(words);
    // Two code spans that touch are not a list.
    if (BETWEEN.lastIndex === CODE.lastIndex && BETWEEN.lastIndex < words.length) return [];
  }
  return commands;
}

/** Writes a command so that `plainCommands` reads it back. */
export function asPlainCommand(command: string): string {
  const longest = Math.max(0, ...[...command.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const pad = command.startsWith('`') || command.endsWith('`') ? ' ' : '';
  return `${fence}${pad}${command}${pad}${fence}`;
}
