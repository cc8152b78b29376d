import { describe, expect, it } from 'vitest';
import { readLessons } from '../../src/agents/lessons.ts';

describe('lessons in a final message', () => {
  it('have a kind and a text', () => {
    const message = `Done.
<lesson kind="pattern">Use \`node:test\` here.</lesson>
<lesson kind='gotcha'>The cache
  is   stale.</lesson> <lesson kind="fact">Node 20.</lesson>
<used>L-12</used> and <used>L-3, L-4</used> and <used>L-12</used>`;
    expect(readLessons(message)).toEqual({
      lessons: [
        { kind: 'pattern', text: 'Use `node:test` here.' },
        { kind: 'gotcha', text: 'The cache is stale.' },
        { kind: 'fact', text: 'Node 20.' },
      ],
      used: ['L-12', 'L-3', 'L-4'],
    });
  });

  it('are not what stands in code, a comment or a blockquote', () => {
    const lesson = '<lesson kind="fact">x</lesson> <used>L-1</used>';
    for (const message of [
      `\`\`\`\n${lesson}\n\`\`\``,
      `\`${lesson}\``,
      `> ${lesson}`,
      `<!-- ${lesson} -->`,
      `    ${lesson}`,
    ]) {
      expect(readLessons(message)).toEqual({ lessons: [], used: [] });
    }
  });

  it('are cited by a tag in backticks too, as agents write it', () => {
    expect(readLessons('It was `<used>L-1a, L-2b</used>` that helped.').used).toEqual(['L-1a', 'L-2b']);
    expect(readLessons('Write `<used>L-...</used>` there.').used).toEqual([]);
  });

  it('of another kind, empty or unclosed are none', () => {
    const message =
      '<lesson kind="rant">a</lesson><lesson kind="fact"> </lesson><lesson kind="fact">lost <lesson kind="fact">kept</lesson>';
    expect(readLessons(message).lessons).toEqual([{ kind: 'fact', text: 'kept' }]);
    expect(readLessons('<lesson kind="fact">never closed').lessons).toEqual([]);
  });

  it('are bounded in number and length, and each is kept once', () => {
    const many = Array.from({ length: 50 }, (_, n) => `<lesson kind="fact">${n} ${'word '.repeat(500)}</lesson>`).join(
      '\n',
    );
    const { lessons } = readLessons(many);
    expect(lessons).toHaveLength(20);
    for (const { text } of lessons) expect(text.length).toBeLessThanOrEqual(500);
    expect(readLessons('<lesson>a</lesson><lesson>a</lesson>').lessons).toHaveLength(1);
  });
});
