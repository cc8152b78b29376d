import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { commands } from '../../src/cli/commands.ts';
import { settings } from '../../src/config/make-settings.ts';
import { parseConfig, readConfig } from '../../src/config/read.ts';
import { describeFailure } from '../../src/util/result.ts';

const RUNS = Number(process.env.RALPH_PROPERTY_RUNS ?? 500);
const root = mkdtempSync(join(tmpdir(), 'ralph-config-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const everything = `plan: prd.json
agent: {use: claude, model: sonnet, effort: high, args: [--x], env: {A: b}}
setup: [npm ci]
gates: [npm run typecheck, {name: test, run: npm test, timeout: 10m}]
final: [npm run e2e]
limits: {iterations: 50, time: 4h, iteration: 45m, idle: 10m, attempts: 3, stuck: 3, cost: 25, files: 60, lines: 5000}
guards: {allow: [src/**, tests/**], forbid: [data/**], write-once: [docs/_archive/**], manifests: when-named, tests: protect}
review: {items: "SPEC-*", agent: codex}
tdd: off
context: [docs/architecture.md]
branch: ralph/{name}
workspace: here
push: off
archive: archives/
notify: [{webhook: "https://example.invalid"}]
`;

const complaint = (text: string) => {
  const parsed = parseConfig(text, 'ralph.yaml');
  return parsed.ok ? 'ok' : describeFailure(parsed.error);
};

describe('a config file', () => {
  it('may hold everything the documentation shows', () => {
    expect(complaint(everything)).toBe('ok');
  });

  it('may be empty, or not there at all', () => {
    expect(complaint('')).toBe('ok');
    expect(readConfig(root)).toEqual({ ok: true, value: { config: {} } });
  });

  it.each([
    ['gate: [x]', 'ralph.yaml:1:1: unknown key "gate"\n  Did you mean "gates"?'],
    [
      'limits:\n  iteration: 45m\n  iterationz: 5',
      'ralph.yaml:3:3: limits: unknown key "iterationz"\n  Did you mean "iterations"?',
    ],
    ['limits: {time: 4}', 'ralph.yaml:1:10: limits.time must be a duration'],
    ['limits: {time: soon}', 'ralph.yaml:1:10: limits.time must be a duration such as 90s, 45m or 4h'],
    ['workspace: there', 'ralph.yaml:1:1: workspace must be here or worktree'],
    ['gates:\n  - {name: x}', 'ralph.yaml:2:'],
    ['plan: [', 'ralph.yaml:1:'],
    ['agent: {use: claude, modle: x}', 'ralph.yaml:1:22: agent: unknown key "modle"\n  Did you mean "model"?'],
    ['just words', 'ralph.yaml:1:1:'],
    [
      'guards:\n  rules:\n    test-skp: off',
      'ralph.yaml:3:5: guards.rules: unknown key "test-skp"\n  Did you mean "test-skip"?',
    ],
    ['guards: {allow: ["src/**", "a{b"]}', 'ralph.yaml:1:28: guards.allow.1: "a{b": Missing closing: "}"'],
    ['guards: {forbid: ["/etc/**"]}', 'ralph.yaml:1:19: guards.forbid.0: "/etc/**": a glob is relative'],
    ['guards: {manifests: never}', 'ralph.yaml:1:10: guards.manifests must be when-named or free'],
  ])('with a mistake is refused with its place: %j', (text, said) => {
    expect(complaint(text)).toContain(said);
  });

  it('knows every flag of `ralph run`, as a key or as a flag for one call', () => {
    const flags = Object.keys(commands.find(({ name }) => name === 'run')?.flags ?? {});
    expect(flags.length).toBeGreaterThan(25);
    const unknown = flags.filter(flag => /Known keys|Did you mean/.test(complaint(`${flag}: true`)));
    expect(unknown).toEqual([]);
    expect(complaint('allow-red: true')).toContain('ralph run --allow-red. To set it for good: baseline: any');
    expect(complaint('once: true')).toMatch(/It is a flag for one call: ralph run --once\.$/);
  });

  it('in JSON is read the same way', () => {
    writeFileSync(join(root, 'ralph.json'), '{"gates": ["make"], "limits": {"attempts": 2}}');
    const read = readConfig(root);
    if (!read.ok) throw new Error(read.error.message);
    expect(settings(root, read.value).gates.map(gate => gate.run)).toEqual(['make']);
    expect(settings(root, read.value).limits.attempts).toBe(2);
    rmSync(join(root, 'ralph.json'));
  });

  it('never throws, whatever is in it', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json(), fc.string({ unit: 'binary' })), text => {
        const parsed = parseConfig(text, 'ralph.yaml');
        if (!parsed.ok) expect(parsed.error.line).toBeGreaterThan(0);
      }),
      { numRuns: RUNS },
    );
    fc.assert(
      fc.property(fc.nat(everything.length), fc.nat(everything.length), fc.string({ maxLength: 3 }), (a, b, insert) => {
        parseConfig(everything.slice(0, Math.min(a, b)) + insert + everything.slice(Math.max(a, b)), 'ralph.yaml');
      }),
      { numRuns: RUNS },
    );
  });
});

describe('settings', () => {
  it('have safe defaults', () => {
    const { limits, rules, baseline, workspace } = settings(root, { config: {} });
    expect(limits).toEqual({
      iterations: 50,
      timeMs: 14_400_000,
      iterationMs: 2_700_000,
      idleMs: 600_000,
      attempts: 3,
      stuck: 3,
      fruitless: 6,
      waitMs: 30_000,
      costUsd: 25,
    });
    expect(rules).toMatchObject({ files: 60, lines: 5000, warnFiles: 10, warnLines: 500 });
    expect([baseline, workspace]).toEqual(['green', 'here']);
  });

  it('say where runs are archived', () => {
    const archiveOf = (archive?: NonNullable<Parameters<typeof settings>[1]['config']['archive']>) =>
      settings('/nowhere', { config: archive === undefined ? {} : { archive } }).archive;
    expect(archiveOf()).toEqual({ folder: 'archives', commit: false });
    expect(archiveOf('old/runs/')).toEqual({ folder: 'old/runs', commit: false });
    expect(archiveOf({ commit: true })).toEqual({ folder: 'archives', commit: true });
    expect(archiveOf(false)).toBeUndefined();
  });

  it('take flags over flag-named keys over limits', () => {
    const config = { limits: { iterations: 5 }, 'max-attempts': 7 };
    expect(settings(root, { config }).limits).toMatchObject({ iterations: 5, attempts: 7 });
    expect(settings(root, { config: { ...config, 'max-iterations': 6 } }).limits.iterations).toBe(6);
    expect(settings(root, { config }, { maxIterations: 8 }).limits.iterations).toBe(8);
  });

  it('find the gates a repository already has, but not the placeholder of npm init', () => {
    const gates = (scripts: object) => {
      writeFileSync(join(root, 'package.json'), JSON.stringify({ scripts }));
      return settings(root, { config: {} }).gates.map(gate => gate.run);
    };
    expect(gates({ test: 'vitest', typecheck: 'tsc' })).toEqual(['npm run typecheck', 'npm test']);
    expect(gates({ test: 'echo "Error: no test specified" && exit 1' })).toEqual([]);
    expect(settings(root, { config: { gates: [] } }).gatesFrom).toBe('config');
    rmSync(join(root, 'package.json'));
  });
});
