/** What starts a pipeline by itself, and for which changes. */
import type { LookFile } from '../look.ts';
import { gateKinds, isProof } from './gate-commands.ts';
import { type Found, quote } from './rule.ts';

type Filters = ReadonlyMap<string, readonly string[]>;

const BY_ITSELF = /^(?:push|pull_request(?:_target)?|merge_group|workflow_call|workflow_run)$/;
const PULL = /^pull_request(?:_target)?$/;
const hasGates = (file: LookFile): boolean => file.after.codeLines.some(line => gateKinds(line).some(isProof));

/** A pipeline with gates that starts for fewer changes than it did. */
export function lostTriggers(file: LookFile): readonly Found[] {
  if (file.before.text === '' || file.after.text === '') return [];
  if (/azure-pipelines/.test(file.path)) return azure(file);
  if (!/workflows\//.test(file.path)) return [];
  const [before, after] = [eventsOf(file.before.codeLines), eventsOf(file.after.codeLines)];
  if (after.size === 0 || !hasGates(file)) return [];
  const line = file.after.lines.findIndex(text => /^["']?on["']?\s*:/.test(text)) + 1;
  const say = (message: string): readonly Found[] => [{ message: `${file.path} ${message}`, path: file.path, line }];
  const own = (events: ReadonlyMap<string, Filters>) => [...events.keys()].filter(event => BY_ITSELF.test(event));
  if (own(before).length === 0) return [];
  if (own(after).length === 0) return say('no longer runs by itself');
  const push = after.get('push');
  const isEveryPush = push !== undefined && !push.has('branches') && !push.has('tags');
  const lostPull = own(before).some(event => PULL.test(event)) && !own(after).some(event => PULL.test(event));
  if (
    lostPull &&
    !isEveryPush &&
    !after.has('merge_group') &&
    !after.has('workflow_call') &&
    !after.has('workflow_run')
  )
    return say('no longer runs for pull requests');
  return own(after).flatMap(event => {
    const [was, now] = [before.get(event), after.get(event) ?? new Map<string, readonly string[]>()];
    const what = was === undefined ? undefined : narrower(was, now);
    return what === undefined ? [] : say(`starts for less: ${quote(event)} ${what}`);
  });
}

const PLAUSIBLE =
  /^["']?(?:main|master|develop(?:ment)?|dev|trunk|next|canary|alpha|beta|default|stable|staging|production|prod|gh-readonly.*|\*+|.*\*.*|releases?\b.*|hotfix.*|v?\d.*|\$default-branch)["']?$/;
const CODE =
  /^!?(?:\*+(?:\/\*+)?|\.|(?:\*\*\/)?(?:src|lib|app|apps|tests?|specs?|packages|pkg|internal|cmd|crates|server|client|backend|frontend|api|services?|modules|core)(?:\/.*)?|.*\.(?:[cm]?[jt]sx?|py|go|rs|java|kt|rb|php|cs|swift|scala|ex|c|cpp))$/;
const WORDS_ONLY =
  /^!?(?:\*\*\/|\*\*|\*)?(?:docs?\b.*|\.github\b.*|.*\.(?:md|mdx|txt|rst|adoc|png|svg)|README.*|LICENSE.*|CHANGELOG.*|website\b.*|\.vscode\b.*|never\b.*|none|nothing\b.*|nope\b.*|disabled\b.*)$/i;

/** What a trigger no longer starts for, if that is code. */
function narrower(was: Filters, now: Filters): string | undefined {
  const came = (key: string) => (now.get(key) ?? []).filter(entry => !was.get(key)?.includes(entry));
  const gone = (key: string) => (was.get(key) ?? []).filter(entry => !now.get(key)?.includes(entry));
  const branches = now.get('branches');
  if (
    branches &&
    came('branches').length > 0 &&
    !branches.some(entry => PLAUSIBLE.test(entry) || was.get('branches')?.includes(entry))
  )
    return `is about ${branches.join(', ')} only`;
  const ignored = came('branches-ignore').find(entry => /^(?:\*+|main|master|develop)$/.test(entry));
  if (ignored !== undefined) return `leaves out ${ignored}`;
  const paths = now.get('paths');
  if (paths && !was.has('paths') && paths.every(entry => entry.startsWith('!') || WORDS_ONLY.test(entry)))
    return `is about ${paths.join(', ')} only`;
  const lost = gone('paths').filter(entry => CODE.test(entry) && !entry.startsWith('!'));
  if (
    paths &&
    lost.length > 0 &&
    !paths.some(entry => lost.every(old => isWider(entry, old))) &&
    paths.length < (was.get('paths')?.length ?? 0) + 1
  )
    return `is no longer about ${lost.join(', ')}`;
  const away = [...came('paths-ignore'), ...came('paths').filter(entry => entry.startsWith('!'))].find(entry =>
    CODE.test(entry),
  );
  if (away !== undefined) return `leaves out ${away}`;
  const types = now.get('types');
  if (
    types &&
    !types.includes('synchronize') &&
    !types.includes('checks_requested') &&
    (was.get('types')?.includes('synchronize') ?? true)
  )
    return `is about ${types.join(', ')} only`;
  return undefined;
}

const isWider = (entry: string, old: string): boolean =>
  /^\*+(?:\/\*+)?$/.test(entry) || old.startsWith(entry.replace(/\*+.*$/, ''));

/** The events of a workflow with their filters: a word, a list, or a mapping. */
function eventsOf(lines: readonly string[]): ReadonlyMap<string, Filters> {
  const start = lines.findIndex(line => /^["']?on["']?\s*:/.test(line));
  const events = new Map<string, Map<string, readonly string[]>>();
  if (start < 0) return events;
  const inline = (lines[start] ?? '').replace(/^["']?on["']?\s*:/, '').trim();
  if (inline !== '') {
    for (const event of wordsOf(inline)) events.set(event, new Map());
    return events;
  }
  let [depth, filters, key]: [number, Map<string, readonly string[]> | undefined, string] = [-1, undefined, ''];
  for (const line of lines.slice(start + 1)) {
    const indent = line.search(/\S/);
    if (indent < 0) continue;
    if (indent === 0) break;
    if (depth < 0) depth = indent;
    const dash = /^\s*-\s+(.*)$/.exec(line)?.[1];
    const [, name, rest = ''] = /^\s*["']?([\w-]+)["']?\s*:\s*(.*)$/.exec(line) ?? [];
    if (indent === depth) {
      filters = new Map();
      const event = name ?? wordsOf(dash ?? '')[0] ?? '';
      // `push: {branches: [main]}`
      for (const match of rest.matchAll(/([\w-]+)\s*:\s*\[([^\]]*)\]/g))
        filters.set(match[1] ?? '', wordsOf(match[2] ?? ''));
      events.set(event, filters);
    } else if (dash !== undefined) filters?.set(key, [...(filters.get(key) ?? []), ...wordsOf(dash)]);
    else if (name !== undefined) {
      key = name;
      filters?.set(key, wordsOf(rest));
    }
  }
  return events;
}

const wordsOf = (text: string): readonly string[] => text.match(/[^\s,[\]"'{}]+/g) ?? [];

function azure(file: LookFile): readonly Found[] {
  if (!hasGates(file)) return [];
  const isOff = (text: string, key: string) => new RegExp(`^${key}\\s*:\\s*none\\b`, 'm').test(text);
  const [was, now] = [file.before.code, file.after.code];
  const off = ['pr', 'trigger'].filter(key => isOff(now, key) && !isOff(was, key));
  // Pull requests are still built where only pushes are not.
  if (off.length === 0 || (!off.includes('pr') && /^pr\s*:/m.test(now) && !isOff(now, 'pr'))) return [];
  const line = file.added.find(({ code }) => /:\s*none\b/.test(code))?.number ?? 1;
  return [{ message: `${file.path} no longer runs by itself`, path: file.path, line }];
}
