import fc from 'fast-check';
import { expect, it } from 'vitest';
import { answerFor, parseAnswers } from '../../src/memory/answers.ts';

const answers = parseAnswers(`Words before the first heading are nobody's answer.

# Decided for good

## Which database engine do we use?
PostgreSQL 16.

\`\`\`sql
## not a heading
\`\`\`

## package manager ##

pnpm

## Colour
blue

## release notes language
English

## language of notes
German
`);

it('reads headings as questions and the text below them as answers', () => {
  expect(answers.map(({ about }) => about)).toEqual([
    'Which database engine do we use?',
    'package manager',
    'Colour',
    'release notes language',
    'language of notes',
  ]);
  expect(answers[0]?.answer).toBe('PostgreSQL 16.\n\n```sql\n## not a heading\n```');
});

it.each([
  ['Which database engine should I take, SQLite or PostgreSQL?', 'Which database engine do we use?'],
  ['What is the PACKAGE-manager of this project: npm or pnpm?', 'package manager'],
  ['Colour?', 'Colour'],
])('answers: %s', (question, about) => expect(answerFor(question, answers)?.about).toBe(about));

it.each([
  ['only some of the words', 'Which database should be dropped?'],
  ['one word that is mentioned', 'Which colour should the button have?'],
  ['a longer word', 'Who packages the managers?'],
  ['two that fit', 'What language are the release notes written in?'],
  ['nothing', ''],
])('does not guess: %s', (_, question) => expect(answerFor(question, answers)).toBeUndefined());

it('never throws', () => {
  fc.assert(fc.property(fc.string(), fc.string(), (text, question) => void answerFor(question, parseAnswers(text))));
});
