/** Runs of words are taken at once: that must not be seen in what is read. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { linesUnder, scanMarkdown } from '../../src/plan/markdown.ts';
import { runs } from './support.ts';

/** The pattern for runs knows plain letters only, so the same text with another letter is read line by line. */
const oneByOne = (text: string): string => text.replaceAll('words', 'ẅords');
const back = (text: string): string => text.replaceAll('ẅords', 'words');

const read = (text: string) => {
  const { boxes, heading, problems } = scanMarkdown(text);
  const plain = boxes.map(box => ({
    ...box,
    text: back(box.text),
    section: box.section.map(back),
    inner: box.inner.map(back),
    verify: box.verify.map(back),
    under: linesUnder(box).map(back),
  }));
  return { boxes: plain, heading: back(heading), problems };
};

const part = (...texts: readonly string[]) => fc.constantFrom(...texts);
const line = fc
  .tuple(
    part('', '', '  ', '  ', '  ', '   ', '    ', '      ', '\t', '  \u00a0'),
    part('', '', '- ', '- ', '* ', '1. ', '-  ', '-\t', '- - ', '> ', '# '),
    part('', '', '', '[ ] ', '[x] ', '[?] '),
    part(
      'words',
      'words',
      'words  ',
      'words <!-- a',
      '--> words',
      '',
      '```',
      '===',
      '---',
      'verify: words',
      'words <b>',
    ),
  )
  .map(parts => parts.join(''));

test('a plan is read in runs as line by line', () => {
  fc.assert(
    fc.property(
      fc.array(line, { maxLength: 14 }),
      part('\n', '\r\n'),
      part('', '- [ ] words\n  words\n  - words\n', '1. [ ] words\n   words\n'),
      (lines, eol, head) => {
        const text = head + lines.join(eol);
        expect(read(text)).toEqual(read(oneByOne(text)));
      },
    ),
    { numRuns: runs * 4 },
  );
});

test.each([
  ['many lines', '  words\n'.repeat(300_000)],
  ['many bullets', '  - words\n'.repeat(300_000)],
  ['one long line', `  ${'w'.repeat(3_000_000)}\n`],
])('%s under one box are no trouble', (_, under) => {
  const [box, next] = scanMarkdown(`- [ ] one\n${under}- [ ] two\n`).boxes;
  expect(box && linesUnder(box)).toHaveLength(under.split('\n').length - 1);
  expect(next?.line).toBe(under.split('\n').length + 1);
});
