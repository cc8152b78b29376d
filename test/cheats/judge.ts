/** Makes a change of a corpus entry into what the guards see. */

import { checkGuards } from '../../src/audit/index.ts';
import type { Change, GuardRules, Item } from '../../src/protocol.ts';
import { plainItem, plainRules } from '../support/samples.ts';

/** What is no text, or is made up here so that the corpus stays short. */
interface Special {
  readonly binary?: true;
  readonly unread?: true;
  readonly link?: string;
  readonly mode?: string;
  readonly text?: string;
  readonly lines?: number;
}

type FileChange = string | readonly string[] | null | Special;
export type ChangeText = string | readonly string[] | Readonly<Record<string, FileChange>>;

export interface Group {
  readonly rule: string;
  /** `warn`: noticing it is all that is asked for. */
  readonly level?: 'warn';
  readonly path: string;
  readonly before: string | Readonly<Record<string, string>>;
  /** Files that do not change unless a pair says so. */
  readonly also?: Readonly<Record<string, string>>;
  /** The words of an item; without them the change is a range of commits, as `ralph audit` sees it. */
  readonly item?: string;
  readonly rules?: Partial<GuardRules>;
  /** The commands of a run that will judge the change. */
  readonly gates?: readonly string[];
  readonly pairs: readonly {
    readonly name: string;
    readonly before?: string;
    readonly cheat: ChangeText;
    readonly honest: ChangeText;
  }[];
}

const rules = plainRules;

/** `block test-skip test/a.test.js:3`, one for each finding. */
export function findingsOf(group: Group, change: ChangeText): readonly string[] {
  const before = {
    ...(typeof group.before === 'string' ? { [group.path]: group.before } : group.before),
    ...group.also,
  };
  const wanted = typeof change === 'string' || isList(change) ? { [group.path]: change } : change;
  const texts = new Map<string, { before: string; after: string }>();
  const links = new Map<string, string>();
  const changes = Object.entries(wanted).map(([path, to]): Change => {
    // A file that is new is made from the group's own.
    const was = before[path] ?? (isList(to) && path !== group.path ? undefined : '');
    const base = was ?? before[group.path] ?? '';
    const special = typeof to === 'object' && to !== null && !isList(to) ? to : undefined;
    const after = special ? (special.text ?? linesOf(special.lines)) : textOf(base, to as Exclude<FileChange, Special>);
    const old = before[path] ?? '';
    if (special?.link) links.set(path, special.link);
    if (!special?.binary && !special?.unread) texts.set(path, { before: old, after: filled(after ?? '') });
    const kind = before[path] === undefined ? 'added' : after === null ? 'deleted' : 'modified';
    const mode = special?.link ? '120000' : (special?.mode ?? '100644');
    const added = (after ?? '').split('\n').length - 1;
    return {
      path,
      kind,
      added,
      deleted: old.split('\n').length - 1,
      binary: special?.binary ?? false,
      mode,
      ...(kind !== 'added' && { oldMode: '100644' }),
    };
  });
  const changed = new Set(Object.keys(wanted));
  const findings = checkGuards({
    changes,
    item: itemOf(group.item ?? ''),
    rules: { ...rules, ...group.rules },
    scope: group.item === undefined ? 'range' : 'item',
    text: path => texts.get(path),
    linkTarget: path => links.get(path),
    ...(group.gates && { gates: group.gates }),
    unchanged: new Map(Object.entries(before).filter(([path]) => !changed.has(path))),
  });
  return findings.map(
    ({ level, rule, path = '', line }) => `${level} ${rule} ${path}${line === undefined ? '' : `:${line}`}`,
  );
}

const isList = (change: unknown): change is readonly string[] => Array.isArray(change);

function textOf(base: string, to: string | readonly string[] | null): string | null {
  if (!isList(to)) return to;
  let text = base;
  for (let at = 0; at + 1 < to.length; at += 2) {
    const [old = '', now = ''] = [to[at], to[at + 1]];
    if (!text.includes(old)) throw new Error(`the corpus says ${JSON.stringify(old)}, but that is not in\n${text}`);
    text = text.replace(old, () => now);
  }
  return text;
}

const linesOf = (count = 0): string =>
  Array.from({ length: count }, (_, index) => `const value${index} = make(${index});\n`).join('');

/** Random values are made here: a repository full of things that look like secrets alarms everybody. */
function filled(text: string): string {
  const alphabets: Readonly<Record<string, string>> = {
    random: 'q7RkT2vWx9LmN4pZs8BcD6fGh3JyKe5AuQ1rVt0XwYi',
    upper: 'QZ7RKT2VWX5LMN4PJS3BCD6FGH',
    digits: '7294816350',
  };
  return text.replace(/\{\{(\w+):([^}]+)\}\}/g, (_, kind: string, argument: string) => {
    if (kind === 'word') return argument;
    const letters = alphabets[kind] ?? '';
    return Array.from({ length: Number(argument) }, (_, index) => letters[(index * 17 + 5) % letters.length]).join('');
  });
}

const itemOf = (title: string): Item => plainItem({ title });
