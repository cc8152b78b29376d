/** What is given into custody comes back in order, says what was found, and is as it was. */
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { editsOf, hold, type Thing } from '../../src/custody/hold.ts';
import { heldLessons } from '../../src/custody/lessons.ts';
import { heldConfig, heldPlanCopy } from '../../src/custody/plan-file.ts';

const folders: string[] = [];
const folder = (): string => {
  const made = mkdtempSync(join(tmpdir(), 'ralph-custody-'));
  folders.push(made);
  return made;
};
afterEach(() => folders.splice(0).forEach(path => rmSync(path, { recursive: true })));

test('things are noted in order, put back in the same order, and each says what it found', async () => {
  const seen: string[] = [];
  const thing =
    (name: string): Thing<{ edits: readonly string[]; name: string }> =>
    async () => {
      seen.push(`note ${name}`);
      return () => {
        seen.push(`put back ${name}`);
        return { edits: [`${name} was changed`], name };
      };
    };
  const held = await hold({ files: thing('files'), git: thing('git') });
  seen.push('somebody else runs');
  const found = await held.putBack();
  expect(seen).toEqual(['note files', 'note git', 'somebody else runs', 'put back files', 'put back git']);
  expect(found.git.name).toBe('git');
  expect(editsOf(found)).toEqual(['files was changed', 'git was changed']);
});

test('a config is its bytes again, whatever took its place', async () => {
  const file = join(folder(), 'ralph.yaml');
  const bytes = Buffer.from('gates: [npm test]\n');
  const found = async (change: () => void) => {
    writeFileSync(file, bytes);
    const held = await hold({ config: heldConfig({ file, bytes, link: undefined }) });
    change();
    const { config } = await held.putBack();
    expect(readFileSync(file)).toEqual(bytes);
    return config.edits;
  };
  expect(await found(() => undefined)).toEqual([]);
  expect(await found(() => writeFileSync(file, 'gates: []\n'))).toEqual(['the config file was edited']);
  expect(await found(() => rmSync(file))).toEqual(['the config file was deleted']);
  const replaced = () => {
    rmSync(file);
    symlinkSync('/etc/hostname', file);
  };
  expect(await found(replaced)).toEqual(['the config file was replaced by a link']);
});

test('a plan that git does not see comes back from its copy, also for a runner that noted nothing before', async () => {
  const root = folder();
  const [path, copy, edited] = ['plan.md', 'plan.before', 'plan.edited'].map(name => join(root, name)) as [
    string,
    string,
    string,
  ];
  writeFileSync(copy, '- [ ] one\n');
  writeFileSync(path, '- [x] one\n');
  const held = await hold({ plan: heldPlanCopy({ path, link: undefined, copy, edited }) });
  expect((await held.putBack()).plan.edits).toEqual(['the plan was edited']);
  expect(readFileSync(path, 'utf8')).toBe('- [ ] one\n');
  expect(readFileSync(edited, 'utf8')).toBe('- [x] one\n');
  expect((await held.putBack()).plan.edits).toEqual([]);
});

test('what was added to the lessons is said, not kept', async () => {
  const file = join(folder(), 'lessons.md');
  const kept: string[] = [];
  const held = await hold({ lessons: heldLessons({ file, keep: name => kept.push(name) }) });
  writeFileSync(file, '# Lessons\n');
  const { lessons } = await held.putBack();
  expect(lessons.edits).toEqual(['the lessons file was edited']);
  expect(kept).toEqual(['lessons.edited.md']);
  expect(existsSync(file)).toBe(false);
});
