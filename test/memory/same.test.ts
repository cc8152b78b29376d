import { describe, expect, it } from 'vitest';
import { lessonId, saysTheSame, withSource } from '../../src/memory/lesson.ts';
import { Memory } from '../../src/memory/memory.ts';
import { readText } from '../../src/util/files.ts';
import { scene } from './scene.ts';

describe('two lessons', () => {
  it.each([
    ['Use `IF NOT EXISTS` for migrations.', 'use IF NOT EXISTS for a migration'],
    ['Always run npm run typecheck before committing', 'Run `npm run typecheck` before you commit, always'],
  ])('say the same: %s', (one, other) => {
    expect(saysTheSame(one, other)).toBe(true);
  });

  it.each([
    ['Use pnpm, never npm.', 'Use npm, never pnpm.'],
    ['The dev server listens on port 3000.', 'The dev server listens on port 3001.'],
    ['Run the tests with --watch.', 'Do not run the tests with --watch.'],
    ['Migrations are in db/.', 'Colours are in theme.css.'],
  ])('do not say the same: %s', (one, other) => {
    expect(saysTheSame(one, other)).toBe(false);
  });

  it('have the same id wherever they are written, whatever their marks', () => {
    expect(lessonId('Use `pnpm`.')).toBe(lessonId('use  pnpm'));
    expect(lessonId('Use pnpm.')).not.toBe(lessonId('Use npm.'));
  });
});

describe('a near-duplicate', () => {
  it('joins the older lesson as one more source', () => {
    const { place } = scene();
    const memory = new Memory(place);
    const [born] = memory.learn(
      [{ kind: 'pattern', text: 'Use `IF NOT EXISTS` for migrations.' }],
      'run 2026-01-05-a, US-1',
    );
    const [merged] = memory.learn(
      [{ kind: 'gotcha', text: 'use IF NOT EXISTS for a migration' }],
      'run 2026-01-06-b, US-2',
    );
    expect([born?.type, merged?.type]).toEqual(['born', 'merged']);
    expect(merged?.lesson.id).toBe(born?.lesson.id);
    expect(readText(`${place.folder}/lessons.md`)?.match(/^## L-/gm)).toHaveLength(1);
    const [again] = [...new Memory(place).lessons.all()];
    expect(again).toMatchObject({ kind: 'pattern', from: ['run 2026-01-05-a, US-1', 'run 2026-01-06-b, US-2'] });
  });

  it('keeps its first source and the newest ones, so that it does not grow', () => {
    const sources = Array.from({ length: 50 }, (_, n) => `run ${n}`).reduce<readonly string[]>(withSource, []);
    expect(sources).toEqual(['run 0', 'run 45', 'run 46', 'run 47', 'run 48', 'run 49']);
  });
});
