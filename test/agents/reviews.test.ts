import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readReview } from '../../src/agents/reviews.ts';

const finding = '<finding severity="high" file="src/a.ts" line="3">It is wrong: `a < b` never holds.</finding>';

describe('a review', () => {
  test('is read with its findings, indented or not', () => {
    const expected = {
      verdict: 'needs-fix',
      findings: [{ severity: 'high', file: 'src/a.ts', line: 3, text: 'It is wrong: `a < b` never holds.' }],
    };
    expect(readReview(`Words.\n\n<review verdict="needs-fix">\n${finding}\n</review>`)).toEqual(expected);
    expect(readReview(`<review verdict='needs-fix'>\n      ${finding}\n    </review>\nBye`)).toEqual(expected);
    expect(readReview('<review verdict="pass"></review>')).toEqual({ verdict: 'pass', findings: [] });
    const low = '<review verdict="pass"><finding severity="low">A typo</finding></review>';
    expect(readReview(low)).toMatchObject({ verdict: 'pass', findings: [{ severity: 'low' }] });
  });

  test.each([
    ['', /no <review>/],
    ['PASS', /no <review>/],
    ['```\n<review verdict="pass"></review>\n```', /code block/],
    ['> <review verdict="pass"></review>', /code block or a quotation/],
    ['<review verdict="pass">', /not closed/],
    ['<review></review>', /missing/],
    ['<review verdict="maybe"></review>', /"maybe"/],
    ['<review verdict="pass"></review>\n<review verdict="needs-fix"></review>', /more than one/],
    [`<review verdict="pass">${finding}</review>`, /says pass, but names a finding of severity high/],
    ['<review verdict="needs-fix"></review>', /names no finding/],
    ['<review verdict="needs-fix"><finding severity="high">open</review>', /not closed/],
    ['<review verdict="needs-fix"><finding severity="urgent">x</finding></review>', /no severity/],
    ['<review verdict="pass"><finding severity="high">a <finding severity="low">b</finding></review>', /not closed/],
  ])('that is %j is unclear', (message, why) => {
    expect(readReview(message)).toEqual({ verdict: 'unclear', why: expect.stringMatching(why) as unknown });
  });

  test('is read from any text without a throw, and passes only where the words are there', () => {
    const parts = [
      '<review verdict="pass">',
      '</review>',
      '<finding severity="low">',
      '</finding>',
      '```\n',
      '> ',
      'x',
    ];
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.constantFrom(...parts), fc.string())), words => {
        const text = words.join('');
        if (readReview(text).verdict === 'pass') expect(text).toMatch(/<review\b[^<>]*pass[^<>]*>[\s\S]*<\/review>/);
      }),
    );
  });
});
