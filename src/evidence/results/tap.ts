/** Reads TAP, nested as node writes it (children first) or as vitest does (in braces). */
import { nodeResults, nodeSums } from './node-spec.ts';
import { isFilePath, Tally, type TestResults } from './tally.ts';

const POINT = /^( *)(not )?ok\b(?: \d+)?(?: -)?(?: (.*))?$/;
const NODE_SUM = /^# (tests|pass|fail|cancelled|skipped|todo) (\d+)$/;

export function readTap(text: string): TestResults | undefined {
  if (!/^TAP version 1[234]$/m.test(text) && !/^1\.\.\d+$/m.test(text)) return undefined;
  const isNode = /^# tests \d+$/m.test(text) && /^# pass \d+$/m.test(text);
  const tally = new Tally(isNode ? 'node:test' : 'TAP');
  /** Names of open groups, by indentation. */
  const open: { readonly indent: number; readonly name: string; parent: boolean }[] = [];
  const within = (indent: number): string[] => open.filter(one => one.indent < indent).map(one => one.name);
  let yamlEnd: string | undefined;
  let points = 0;
  for (const line of text.split('\n')) {
    if (yamlEnd !== undefined) {
      if (line === yamlEnd) yamlEnd = undefined;
      continue;
    }
    const yaml = /^( *)---$/.exec(line);
    if (yaml && points > 0) {
      yamlEnd = `${yaml[1] ?? ''}...`;
      continue;
    }
    const subtest = /^( *)# Subtest: (.*)$/.exec(line);
    if (subtest) {
      const indent = subtest[1]?.length ?? 0;
      closeFrom(open, indent);
      for (const one of open) one.parent = true;
      open.push({ indent, name: subtest[2] ?? '', parent: false });
      continue;
    }
    if (/^ *\}$/.test(line)) {
      closeFrom(open, line.length - 1);
      continue;
    }
    const match = POINT.exec(line);
    if (!match) continue;
    points += 1;
    const [, spaces = '', not, rest = ''] = match;
    const indent = spaces.length;
    const opens = / \{$/.test(rest);
    const skipped = /(?:^| )# (?:SKIP|TODO)\b/i.test(rest);
    const name = rest.replace(/(?:^| )# (?:SKIP|TODO|time=).*$/i, '').replace(/ \{$/, '');
    const own = open.find(one => one.indent === indent);
    const isParent = own?.parent === true && own.name === name;
    closeFrom(open, indent);
    if (opens) open.push({ indent, name, parent: true });
    else if (isParent) tally.holds();
    else if (not && (isFilePath(name) || isFileOfVitest(name, indent))) tally.cannotLoad(name);
    else tally.add([...within(indent), name].join(' > '), skipped ? 'skipped' : not ? 'failed' : 'passed');
  }
  if (points === 0) return undefined;
  return isNode ? nodeResults(tally, nodeSums(text, NODE_SUM)) : tally.results();
}

function closeFrom(open: { readonly indent: number }[], indent: number): void {
  while ((open.at(-1)?.indent ?? -1) >= indent) open.pop();
}

const isFileOfVitest = (name: string, indent: number): boolean =>
  indent === 0 && /^\S+\.(?:test|spec)\.[cm]?[jt]sx?$/.test(name);
