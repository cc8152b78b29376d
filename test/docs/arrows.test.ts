/** `npm run arrows` holds for this repository, and says what is wrong in one where it does not. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';

/** What is said about a repository with these sources, beside some that are as they should be. */
function said(sources: Readonly<Record<string, string>> = {}): string {
  const root = mkdtempSync(join(tmpdir(), 'ralph-arrows-'));
  const all = {
    'util/result.ts': 'export const ok = 1;',
    'plan/index.ts': "export { next } from './formats/next.ts';",
    'plan/formats/next.ts': "import { ok } from '../../util/result.ts';\nexport const next = ok;",
    'loop.ts': "export { step } from './loop/step.ts';",
    'loop/step.ts': "import { next } from '../plan/index.ts';\nexport const step = next;",
    ...sources,
  };
  try {
    for (const [path, text] of Object.entries(all)) {
      mkdirSync(dirname(join(root, 'src', path)), { recursive: true });
      writeFileSync(join(root, 'src', path), text);
    }
    return arrows(root);
  } finally {
    rmSync(root, { recursive: true });
  }
}

function arrows(...args: readonly string[]): string {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/arrows.mjs', ...args], { encoding: 'utf8' });
  expect(status).toBe(stderr === '' ? 0 : 1);
  return stderr.trim();
}

test('this repository is as it should be', () => {
  expect(arrows()).toBe('');
  expect(said()).toBe('');
});

describe('an import that must not be is named', () => {
  test.each([
    [
      'a room that imports another one',
      { 'brief/slots.ts': "import type { next } from '../plan/index.ts';" },
      'src/brief/slots.ts is in brief, which must not know src/plan/index.ts',
    ],
    [
      'the start that knows the loop',
      { 'start/begin.ts': "import { step } from '../loop.ts';" },
      'src/start/begin.ts is in start, which must not know src/loop.ts',
    ],
    [
      'a door that is to be loaded late, but is loaded already',
      { 'loop/late.ts': "export const late = () => import('../plan/index.ts');" },
      'src/loop/late.ts loads all of src/plan/index.ts by import(): name the parts of it in a file, and import() that',
    ],
    [
      'past the door, into a sub-folder',
      { 'loop/read.ts': "import { next } from '../plan/formats/next.ts';" },
      'src/loop/read.ts goes past the door src/plan/index.ts to src/plan/formats/next.ts',
    ],
    [
      'past the door for a type',
      { 'run.ts': "import type { step } from './loop/step.ts';" },
      'src/run.ts goes past the door src/loop.ts to src/loop/step.ts',
    ],
    [
      'past the door when it is needed',
      { 'run.ts': "const step = async () => await import('./loop/step.ts');" },
      'src/run.ts goes past the door src/loop.ts to src/loop/step.ts',
    ],
    [
      'through the own door',
      { 'plan/mark.ts': "import { next } from './index.ts';" },
      'src/plan/mark.ts is inside, and goes through its own door to src/plan/index.ts',
    ],
    [
      'a room that is not in the picture',
      { 'cellar/wine.ts': "import { ok } from '../util/result.ts';" },
      'src/cellar/wine.ts is in no part that scripts/arrows.mjs knows, and imports src/util/result.ts',
    ],
    [
      'a cycle of types',
      {
        'plan/a.ts': "import type { B } from './b.ts';\nexport type A = B;",
        'plan/b.ts': "import type { A } from './a.ts';\nexport type B = A;",
      },
      'these import each other: src/plan/a.ts, src/plan/b.ts',
    ],
  ])('%s', (_, sources, expected) => {
    expect(said(sources)).toBe(expected);
  });
});

describe('what one room keeps to itself is done nowhere else', () => {
  test.each([
    [
      { 'plan/run.ts': "import { spawn } from 'node:child_process';" },
      'src/plan/run.ts must not start programs (child_process)',
    ],
    [{ 'loop/git.ts': "capture(['git', 'status']);" }, "src/loop/git.ts must not call git (['git')"],
    [
      { 'plan/write.ts': "import { fsyncSync } from 'node:fs';" },
      'src/plan/write.ts must not wait for the disk (fsyncSync)',
    ],
  ])('%o', (sources, expected) => {
    expect(said(sources)).toBe(expected);
  });
  test('and is done there', () => {
    expect(said({ 'process/start.ts': "import { spawn } from 'node:child_process';" })).toBe('');
    expect(said({ 'workspace/git.ts': "capture(['git', 'status']);" })).toBe('');
  });
});
