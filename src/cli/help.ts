/** Help texts: what each command is for, and the three to begin with. */
import type { Command } from './command.ts';
import { packageFolder } from './package-folder.ts';

const WIDTH = 30;

export function generalHelp(commands: readonly Command[]): string {
  const groups = [...new Set(commands.map(command => command.group))];
  return [
    'ralph drives a coding agent through a plan: one fresh process per item, and only what is proven is kept.',
    '',
    'Begin with',
    '  ralph demo                    see it work in under a minute, without any key',
    '  ralph doctor                  would a run start here, and what to fix',
    '  ralph run prd.json            start, and continue after any stop or crash',
    ...groups.flatMap(group => ['', group, ...commands.filter(command => command.group === group).map(row)]),
    '',
    'ralph <command> --help explains one of them. ralph --version prints the version.',
    `The documentation, which messages name as docs/..., is in ${packageFolder('docs')}`,
    '',
  ].join('\n');
}

const row = (command: Command): string => `  ${signature(command).padEnd(WIDTH - 1)} ${command.brief}`;

function signature({ name, args }: Command): string {
  return [
    'ralph',
    name,
    ...args.map(arg => (arg.optional ? `[${arg.name}${arg.many ? ' ...' : ''}]` : `<${arg.name}>`)),
  ].join(' ');
}

export function commandHelp(command: Command): string {
  const flags = Object.entries(command.flags).map(([name, flag]) => {
    const left = `${flag.short ? `-${flag.short}, ` : ''}--${name}${flag.placeholder ? ` ${flag.placeholder}` : ''}`;
    return `  ${left.padEnd(WIDTH - 1)} ${flag.brief}`;
  });
  return [
    `${signature(command)}${flags.length > 0 ? ' [flags]' : ''}`,
    '',
    `${command.brief}.`,
    ...(command.details ? ['', ...command.details] : []),
    ...(command.aliases ? ['', `Also: ${command.aliases.map(name => `ralph ${name}`).join(', ')}`] : []),
    ...(flags.length > 0 ? ['', 'Flags', ...flags] : []),
    '',
  ].join('\n');
}
