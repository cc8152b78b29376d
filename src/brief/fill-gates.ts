/** The slot that says what will be checked: the user's commands and the rules on the diff. */
import type { Gate, GuardRules, Item } from '../protocol.ts';
import { firstFew, plural } from '../util/show.ts';
import type { Filling, Pieces } from './fit.ts';
import { command, counted } from './pieces.ts';
import type { BriefInput } from './slots.ts';
import { bullet, code, untrustedLine } from './untrusted-text.ts';

const COMMAND = 200;
const GLOBS = 6;
const GLOB = 80;

export function fillGates({ gates, finalGates, rules, item }: BriefInput): Filling {
  const list = (name: string, entries: readonly string[]): Pieces => ({
    name,
    entries: entries.map(bullet),
    separator: '\n',
    keep: 'first',
  });
  return {
    values: { ungated: gates.length === 0 ? 'yes' : '', verify: item.verify.length > 0 ? 'yes' : '' },
    lists: [
      list('gates', gates.map(gate)),
      list('guards', [...notes(item), ...guards(rules)]),
      list('final', finalGates.map(gate)),
    ],
    omitted: ({ gates = 0, final = 0, guards = 0 }) =>
      [counted(gates + final, 'command'), counted(guards, 'rule')].filter(Boolean).join(', '),
  };
}

/** Notes are judged, so they are asked for. */
function notes({ notes: wanted }: Item): readonly string[] {
  if (!wanted) return [];
  const [path, heading] = [code(untrustedLine(wanted.path, GLOB)), code(untrustedLine(wanted.heading, GLOB))];
  const say = 'what was done, what differs from the prompt, what was surprising, which tests are new, what is left';
  return [`append a section to ${path} that starts with the heading ${heading} and says ${say}`];
}

function gate({ name, run }: Gate): string {
  const short = untrustedLine(name, 60);
  if (run.trim().includes('\n') || run.length > COMMAND) return `${short} (a longer script, see the config)`;
  return name.trim() === run.trim() ? code(run.trim()) : `${short}: ${command(run)}`;
}

function guards({ allow, forbid, writeOnce, files, lines }: GuardRules): readonly string[] {
  const shown = (glob: string) => code(untrustedLine(glob, GLOB));
  const globs = (list: readonly string[]) => firstFew(list.map(shown), GLOBS);
  const size = [files > 0 ? plural(files, 'file') : '', lines > 0 ? plural(lines, 'net line') : ''].filter(Boolean);
  return [
    allow.length > 0 ? `change only ${globs(allow)}` : '',
    forbid.length > 0 ? `never touch ${globs(forbid)}` : '',
    writeOnce.length > 0 ? `add to ${globs(writeOnce)}, but never change or delete what is there` : '',
    size.length > 0 ? `at most ${size.join(' and ')} in one change` : '',
    'change nothing outside this repository',
  ].filter(Boolean);
}
