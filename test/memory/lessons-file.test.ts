import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Lesson } from '../../src/memory/lesson.ts';
import { conflictLine, parseLessons, withFields, withLessons } from '../../src/memory/lessons-file.ts';
import { lesson } from './scene.ts';

const runs = Number(process.env.RALPH_PROPERTY_RUNS ?? 500);
const two = [
  lesson('L-3fa9c1', '`npm create` asks questions -> pass --yes.', { kind: 'gotcha' }),
  lesson('L-00ab12', 'Tests run in vitest.', { kind: 'fact', from: ['person, 2026-01-06'] }),
];

describe('the lessons file', () => {
  it('is read back as it was written, a section per lesson', () => {
    const text = withLessons('', two);
    expect(text).toContain(
      '## L-3fa9c1 gotcha\n\n\\`npm create` asks questions -> pass --yes.\n\n- from: run 2026-01-05-first, US-001\n',
    );
    expect(parseLessons(text)).toEqual(two);
  });

  it('keeps what a person wrote around and inside the sections', () => {
    const text = `# Our lessons\n\nRead these.\n\n${withLessons('', two).split('\n').slice(5).join('\n')}\nA note at the end.\n`;
    const retired: Lesson = { ...(two[0] as Lesson), retired: '2026-01-09, by a person' };
    const after = withFields(text, retired);
    expect(after).toContain('# Our lessons\n\nRead these.\n');
    expect(after).toContain('A note at the end.');
    expect(after).toContain('- from: run 2026-01-05-first, US-001\n- retired: 2026-01-09, by a person\n');
    expect(parseLessons(after).map(({ id, retired: why }) => [id, why])).toEqual([
      ['L-3fa9c1', '2026-01-09, by a person'],
      ['L-00ab12', undefined],
    ]);
  });

  it('takes a section of a person that has no id, as their word', () => {
    const [own] = parseLessons('## gotcha\n\nThe cache is stale.\n\n## Stripe\n\nSend an idempotency key.\n');
    expect(own).toMatchObject({ kind: 'gotcha', text: 'The cache is stale.', from: ['person'] });
    const [, titled] = parseLessons('## gotcha\n\nThe cache is stale.\n\n## Stripe\n\nSend an idempotency key.\n');
    expect(titled).toMatchObject({ kind: 'fact', text: 'Stripe: Send an idempotency key.' });
    expect(own?.id).toMatch(/^L-[0-9a-f]{6}$/);
  });

  it('takes no placeholder and no comment for a lesson, and leaves them where they are', () => {
    const text = '## pattern\n\n<!-- yours here -->\n\n## L-cccccc gotcha\n\n[describe it]\n\n## fact\n\nUse pnpm\n';
    expect(parseLessons(text).map(each => each.text)).toEqual(['Use pnpm']);
    expect(withLessons(text, two)).toContain(text);
  });

  it('that two people added the same lesson to holds it once, with both sources', () => {
    const same = (source: string) => withLessons('', [lesson('L-3fa9c1', 'Use pnpm.', { from: [source] })]);
    const merged = `${same('person, 2026-01-05')}\n${same('person, 2026-01-06').split('\n').slice(5).join('\n')}`;
    expect(parseLessons(merged)).toEqual([
      lesson('L-3fa9c1', 'Use pnpm.', { from: ['person, 2026-01-05', 'person, 2026-01-06'] }),
    ]);
  });

  it('keeps its line ends', () => {
    const text = withLessons('', two).replaceAll('\n', '\r\n');
    const after = withLessons(withFields(text, { ...(two[1] as Lesson), retired: 'x' }), [
      lesson('L-777777', 'Another one.'),
    ]);
    expect(after.replaceAll('\r\n', '')).not.toContain('\n');
    expect(parseLessons(after)).toHaveLength(3);
  });

  it('with conflict markers is told by its line', () => {
    expect(conflictLine(`a\n<<<<<<< ours\nb\n=======\nc\n>>>>>>> theirs\n`)).toBe(2);
    expect(conflictLine('A title\n=======\n')).toBeUndefined();
  });

  it('reads any text without a throw, and reads any lesson back', () => {
    const piece = fc.constantFrom(
      '## ',
      'L-3fa9c1',
      '- from: ',
      '- retired: x',
      '```',
      '\n',
      '\r\n',
      '\\',
      '# ',
      'words ',
      '<<<<<<< ',
    );
    const text = fc.array(fc.oneof(piece, fc.string()), { maxLength: 30 }).map(parts => parts.join(''));
    fc.assert(
      fc.property(text, fc.stringMatching(/^[\w\-#>*+. `]{3,60}$/), (before, words) => {
        const clean = words.replace(/\s+/g, ' ').trim();
        fc.pre(clean !== '' && !clean.startsWith('```'));
        const added = lesson('L-abcdef', clean);
        const read = parseLessons(withLessons('', [added]));
        expect(read).toEqual([added]);
        const known = parseLessons(before);
        for (const one of known) withFields(before, one);
      }),
      { numRuns: runs },
    );
  });
});
