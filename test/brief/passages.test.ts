import { expect, test } from 'vitest';
import { passagesNaming } from '../../src/brief/passages.ts';

const requirements = `# Requirements

### Requirement 1: Login

**User Story:** As a user I want to log in.

#### Acceptance Criteria

1. WHEN the password is wrong THEN the system SHALL refuse.
2. WHEN it is right
   THEN the system SHALL let the user in.

### Requirement 2: Logout

1. WHEN the user leaves THEN the session SHALL end.
2. Version 1.2 of the API is used.
`;

test('a requirement and its criterion are found by number, under their heading', () => {
  expect(passagesNaming(requirements, ['1.2'])).toEqual([
    {
      line: 10,
      text: '#### Acceptance Criteria\n\n2. WHEN it is right\n   THEN the system SHALL let the user in.',
    },
  ]);
  expect(passagesNaming(requirements, ['2'])[0]?.text).toMatch(/^### Requirement 2: Logout\n\n1\. WHEN/);
});

test('a bare number counts only where requirements are spoken of', () => {
  const design = 'We use Node 1.2 here.\n\n**Validates: Requirements 1.2, 3.4**\n';
  expect(passagesNaming(design, ['1.2']).map(({ line }) => line)).toEqual([3]);
});

test('a story is found by the heading that spells it out, with all of its section', () => {
  const spec =
    '# Spec\n\n### User Story 1 - Browse\n\nWords.\n\n#### Scenarios\n\n1. Given\n\n### User Story 12 - Pay\n\nNo.\n';
  expect(passagesNaming(spec, ['US1'])).toEqual([
    { line: 3, text: '### User Story 1 - Browse\n\nWords.\n\n#### Scenarios\n\n1. Given' },
  ]);
});

test('an id is a word of its own, and its entry or paragraph is quoted', () => {
  const text =
    '## Rules\n\n- FR-001: short\n- FR-0010: other\n  still other\n\nSee FR-001.2 and X-FR-001.\nNot this.\n';
  expect(passagesNaming(text, ['FR-001'])).toEqual([{ line: 3, text: '## Rules\n\n- FR-001: short' }]);
});

test('ids that mean something in a pattern are only ids, and nothing is quoted twice', () => {
  expect(passagesNaming('a+b (x) and A1.*\n', ['(x', 'A1.*'])).toEqual([{ line: 1, text: 'a+b (x) and A1.*' }]);
  expect(passagesNaming('## US-1\n\nUS-1 again.\n\nUS-1 once more.\n', ['US-1'])).toHaveLength(1);
  expect(passagesNaming('anything', [])).toEqual([]);
});

test('10 MB take no time to speak of', () => {
  const text = `${'A sentence of a long specification without any id in it.\n\n'.repeat(170_000)}FR-007 at last.\n`;
  const began = performance.now();
  expect(passagesNaming(text, ['FR-007'])).toHaveLength(1);
  expect(performance.now() - began).toBeLessThan(5000);
});
