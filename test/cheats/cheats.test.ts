/**
 * Pairs of a cheat and an honest change that looks like it. Each YAML file is a list of groups: a rule, a file as it was
 * (`before`), and pairs. A change is either a list of replacements in that file (old, new, old, new, …), its whole new
 * text, or files by path (text, replacements, null for deleted, or an object for what is no text).
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { guards } from '../../src/evidence/guards/index.ts';
import { languageOf } from '../../src/evidence/language.ts';
import { guardIds } from '../../src/protocol.ts';
import { type ChangeText, findingsOf, type Group } from './judge.ts';

const folder = dirname(fileURLToPath(import.meta.url));
const files = readdirSync(folder).filter(name => name.endsWith('.yaml'));
const groups = files.flatMap(name => parse(readFileSync(join(folder, name), 'utf8')) as Group[]);

interface Judged {
  readonly name: string;
  readonly rule: string;
  readonly only: 'block' | 'notice';
  readonly cheat: readonly string[];
  readonly honest: readonly string[];
}

const judged = groups.flatMap(group =>
  group.pairs.map((pair): Judged => {
    const name = `${group.rule}: ${group.path}: ${pair.name}`;
    const of = (change: ChangeText) =>
      findingsOf(pair.before === undefined ? group : { ...group, before: pair.before }, change);
    const only = group.level === 'warn' ? 'notice' : 'block';
    return { name, rule: group.rule, only, cheat: of(pair.cheat), honest: of(pair.honest) };
  }),
);
const blocking = judged.filter(({ only }) => only === 'block');
const isBlocked = (findings: readonly string[]) => findings.some(finding => finding.startsWith('block '));
const share = (part: number, whole: number) => `${((100 * part) / whole).toFixed(1)} %`;

describe('cheats', () => {
  it('are at least 200 pairs in 6 languages, about every rule', () => {
    const languages = new Set(groups.map(group => languageOf(group.path)));
    expect(judged.length).toBeGreaterThanOrEqual(200);
    expect(languages.size).toBeGreaterThanOrEqual(6);
    // What the gates stand on is only known in a run.
    const rules = guardIds.filter(rule => rule !== 'gate-ground');
    expect(rules.filter(rule => !groups.some(group => group.rule === rule))).toEqual([]);
    expect(Object.keys(guards)).toEqual([...guardIds]);
  });

  it('are blocked, by the rule they are about, in at least 95 of 100 cases', () => {
    const missed = blocking.filter(({ cheat }) => !isBlocked(cheat));
    const other = blocking.filter(
      ({ cheat, rule }) => isBlocked(cheat) && !cheat.some(finding => finding.startsWith(`block ${rule}`)),
    );
    console.log(
      `cheats blocked: ${blocking.length - missed.length} of ${blocking.length} (${share(blocking.length - missed.length, blocking.length)})`,
    );
    for (const { name, cheat } of missed)
      console.log(`  missed: ${name}${cheat.length > 0 ? ` (${cheat.join('; ')})` : ''}`);
    for (const { name, cheat } of other) console.log(`  by another rule: ${name} (${cheat.join('; ')})`);
    expect(missed.length / blocking.length).toBeLessThanOrEqual(0.05);
  });

  it('have honest twins, of which at most 2 in 100 are blocked', () => {
    const wronged = judged.filter(({ honest }) => isBlocked(honest));
    console.log(
      `honest twins blocked: ${wronged.length} of ${judged.length} (${share(wronged.length, judged.length)})`,
    );
    for (const { name, honest } of wronged)
      console.log(`  wronged: ${name} (${honest.filter(finding => finding.startsWith('block')).join('; ')})`);
    expect(wronged.length / judged.length).toBeLessThanOrEqual(0.02);
  });

  it('that only warn are noticed', () => {
    const noticing = judged.filter(({ only }) => only === 'notice');
    const missed = noticing.filter(({ cheat, rule }) => !cheat.some(finding => finding.includes(` ${rule} `)));
    const wronged = noticing.filter(({ honest, rule }) => honest.some(finding => finding.includes(` ${rule} `)));
    console.log(`noticed only: ${noticing.length - missed.length} of ${noticing.length}`);
    expect(missed.map(({ name }) => name)).toEqual([]);
    expect(wronged.map(({ name }) => name)).toEqual([]);
  });
});
