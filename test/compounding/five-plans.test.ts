/**
 * Whether it compounds, measured through the real program: its loop, git, gates and files. `npm run compounding` writes
 * what is measured here into the docs; without it, the docs have to say what is measured.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { withLessons } from '../../src/memory/lessons-file.ts';
import { fivePlans, HARMFUL, perItem, type RunFigures } from './five-plans.ts';
import { compoundingSvg, compoundingTable } from './plot.ts';
import { ITEMS, PLANS, traps } from './traps.ts';

const writing = process.env.RALPH_WRITE_DOCS === '1';
const page = fileURLToPath(new URL('../../docs/memory.md', import.meta.url));
const picture = fileURLToPath(new URL('../../docs/compounding.svg', import.meta.url));
const TABLE = /(<!-- compounding: npm run compounding -->\n)[\s\S]*?(\n<!-- \/compounding -->)/;

const lessonsIn = (text: string): readonly string[] => text.match(/^## L-\w+/gm) ?? [];

describe('five plans in a row', { timeout: 600_000 }, () => {
  const remembered = fivePlans({ archive: 'archives' }).then(({ run }) => run());
  const forgotten = fivePlans({ archive: 'off' }).then(({ run }) => run());

  test('take fewer iterations per item run by run, and hardly more than one in the last', async () => {
    const { repo, runs } = await remembered;
    expect(runs.map(({ items }) => items)).toEqual(Array.from({ length: PLANS }, () => ITEMS));
    const course = runs.map(perItem);
    for (const [n, value] of course.entries()) if (n > 0) expect(value).toBeLessThanOrEqual(course[n - 1] ?? 0);
    expect(course.at(-1)).toBeLessThanOrEqual(1.1);
    const lessons = repo.read('.ralph/lessons.md');
    for (const { lesson } of traps) expect(lessons.split(lesson)).toHaveLength(2);
    expect((await repo.ralph(['archive'])).stdout.trim().split('\n')).toHaveLength(PLANS);
    expect(repo.git('status', '--porcelain')).toBe('');
  });

  test('take as many in the last as in the first where archives are off', async () => {
    const { runs } = await forgotten;
    const course = runs.map(perItem);
    expect(course).toEqual(course.map(() => course[0]));
    expect(course[0]).toBe(2);
  });

  test('are what the docs say they are', async () => {
    const courses = { remembered: (await remembered).runs, forgotten: (await forgotten).runs };
    const svg = compoundingSvg(courses);
    const text = readFileSync(page, 'utf8').replace(TABLE, `$1${compoundingTable(courses)}$2`);
    if (writing) {
      writeFileSync(picture, svg);
      writeFileSync(page, text);
    }
    expect(readFileSync(page, 'utf8'), 'npm run compounding writes the table').toBe(text);
    expect(readFileSync(picture, 'utf8'), 'npm run compounding writes the picture').toBe(svg);
  });

  test('retire a harmful lesson that was planted, and need no more for it afterwards', async () => {
    const planted = await fivePlans({ archive: 'archives', plans: 2 });
    const { id, text } = HARMFUL;
    const from = ['run 2026-01-05-first, US-001'];
    planted.repo.write('.ralph/lessons.md', withLessons('', [{ id, kind: 'gotcha', text, from }]));
    planted.repo.write('.ralph/.gitignore', '*\n');
    const { repo, runs } = await planted.run();
    const [, second] = runs as readonly [RunFigures, RunFigures];
    const [, healthy] = (await remembered).runs as readonly [RunFigures, RunFigures];
    const lessons = repo.read('.ralph/lessons.md');
    const harmful = lessons.slice(lessons.indexOf(`## ${id}`)).split('\n## ')[0] ?? '';
    expect(harmful).toMatch(
      /- retired: \d{4}-\d\d-\d\d, \d+ of the \d+ iterations it was shown to failed in what it is about/,
    );
    // The others, shown beside it, did not go with it.
    expect(lessons.match(/- retired:/g)).toHaveLength(1);
    expect(lessonsIn(lessons).length).toBeGreaterThan(6);
    const shown = repo.journal(repo.runs()[1]).filter(record => record.type === 'lessons.shown');
    const harmed = shown.filter(record => record.type === 'lessons.shown' && record.ids.includes(id));
    expect(harmed.length).toBeGreaterThanOrEqual(4);
    // Each item meets it at most twice: the attempt after it failed is made without it.
    expect(harmed.length).toBeLessThanOrEqual(12);
    expect(perItem(second)).toBeLessThanOrEqual(perItem(healthy) + 0.1);
  });
});
