/**
 * Pairs of a cheat and an honest change that looks like it. Each YAML file is a list of groups: a rule, a file as it was
 * (`before`), and pairs. A change is either a list of replacements in that file (old, new, old, new, …), its whole new
 * text, or files by path (text, replacements, null for deleted, or an object for what is no text).
 *
 * What the guards get wrong is listed in `known-misses.txt` and compared exactly, so that a rule that dies turns this red.
 * `npm run cheats` writes the list again; read its diff before committing it.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { guards } from '../../src/audit/index.ts';
import { languageOf } from '../../src/audit/language.ts';
import { guardIds } from '../../src/protocol.ts';
import { type ChangeText, findingsOf, type Group } from './judge.ts';

const folder = dirname(fileURLToPath(import.meta.url));
const known = join(folder, 'known-misses.txt');
/** Pairs for which nothing was ever added to a rule: their figures are the nearest there is to work nobody has seen. */
const NEVER_LEARNED = 'never-learned';

interface Judged {
  readonly name: string;
  readonly file: string;
  readonly rule: string;
  readonly asks: 'block' | 'notice';
  readonly cheat: readonly string[];
  readonly honest: readonly string[];
}

const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter(name => name.endsWith('.yaml'))
  .map(name => name.replaceAll('\\', '/'))
  .toSorted();
const groups = files.flatMap(file =>
  (parse(readFileSync(join(folder, file), 'utf8')) as Group[]).map(group => ({ file, group })),
);
const judged = groups.flatMap(({ file, group }) =>
  group.pairs.map((pair): Judged => {
    const name = `${file}: ${group.rule}: ${group.path}: ${pair.name}`;
    const of = (change: ChangeText) =>
      findingsOf(pair.before === undefined ? group : { ...group, before: pair.before }, change);
    const asks = group.level === 'warn' ? 'notice' : 'block';
    return { name, file, rule: group.rule, asks, cheat: of(pair.cheat), honest: of(pair.honest) };
  }),
);

const isBlocked = (findings: readonly string[]) => findings.some(finding => finding.startsWith('block '));
const rulesOf = (findings: readonly string[]) => new Set(findings.map(finding => finding.split(' ')[1]));
const isMissed = ({ asks, rule, cheat }: Judged) => (asks === 'block' ? !isBlocked(cheat) : !rulesOf(cheat).has(rule));
const isWronged = ({ asks, rule, honest }: Judged) =>
  isBlocked(honest) || (asks === 'notice' && rulesOf(honest).has(rule));

const misses = judged
  .flatMap(one => [
    ...(isMissed(one) ? [`missed   ${one.name}`] : []),
    ...(isWronged(one) ? [`wronged  ${one.name}`] : []),
  ])
  .toSorted();

describe('cheats', () => {
  it('are in 6 languages, about every rule, each under a name of its own', () => {
    expect(new Set(groups.map(({ group }) => languageOf(group.path))).size).toBeGreaterThanOrEqual(6);
    // What the gates stand on is only known in a run.
    const rules = guardIds.filter(rule => rule !== 'gate-ground');
    expect(rules.filter(rule => !judged.some(one => one.rule === rule))).toEqual([]);
    expect(Object.keys(guards)).toEqual([...guardIds]);
    const names = judged.map(({ name }) => name);
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  });

  it('are noticed, and their honest twins are not, but for the known misses', () => {
    for (const line of figures()) console.log(line);
    if (process.env['RALPH_WRITE_CHEATS'] === '1') writeFileSync(known, `${misses.join('\n')}\n`);
    expect(misses).toEqual(readFileSync(known, 'utf8').split('\n').filter(Boolean));
  });

  it('would be missed if any one rule found nothing', () => {
    const needed = new Set(judged.flatMap(one => (isMissed(one) ? [] : onlyRule(one))));
    expect(guardIds.filter(rule => rule !== 'gate-ground' && !needed.has(rule))).toEqual([]);
  });
});

/** The one rule without which a cheat would be missed. */
function onlyRule({ asks, rule, cheat }: Judged): readonly string[] {
  if (asks === 'notice') return [rule];
  const [first, ...others] = rulesOf(cheat.filter(finding => finding.startsWith('block ')));
  return first !== undefined && others.length === 0 ? [first] : [];
}

function figures(): readonly string[] {
  const share = (part: number, whole: number) => `${part} of ${whole} (${((100 * part) / whole).toFixed(1)} %)`;
  const line = (what: string, of: readonly Judged[]) => {
    const asked = of.filter(({ asks }) => asks === 'block');
    return `${what}: cheats blocked ${share(asked.filter(one => !isMissed(one)).length, asked.length)}, honest twins blocked ${share(of.filter(isWronged).length, of.length)}`;
  };
  return [
    line('all', judged),
    line(
      'never learned from',
      judged.filter(({ file }) => file.startsWith(`${NEVER_LEARNED}/`)),
    ),
  ];
}
