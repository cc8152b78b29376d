import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readLearnings, readNotes } from '../../src/memory/notes.ts';

const runs = Number(process.env.RALPH_PROPERTY_RUNS ?? 500);
const texts = (notes: string) => readNotes(notes).map(({ kind, text }) => `${kind}: ${text}`);

describe('notes of other loops', () => {
  it('have a section of patterns at the top, then entries', () => {
    const notes = `# Progress Log
Started: 2026-01-05
---

## Codebase Patterns
- Server actions live in \`app/actions\`; never call them
  from a client component
  - they throw there
* Use the \`cn()\` helper for class names

---

## 2026-01-05 - US-001
- Implemented the login page
- Files changed: app/page.tsx
- **Learnings for future iterations:**
  - The session cookie is set by middleware
  - Run \`npm run db:push\` after each schema change
- Committed as abc1234
---
## 2026-01-06 - US-002
What was done here is not a lesson at all.

**Learnings for future iterations:**

- Toasts need a provider in the root layout
- Use the barrel file for icons

Next steps follow.
`;
    expect(texts(notes)).toEqual([
      'pattern: Server actions live in `app/actions`; never call them from a client component they throw there',
      'pattern: Use the `cn()` helper for class names',
      'fact: The session cookie is set by middleware',
      'fact: Run `npm run db:push` after each schema change',
      'fact: Toasts need a provider in the root layout',
      'fact: Use the barrel file for icons',
    ]);
  });

  it('say a lesson on one line', () => {
    expect(
      texts(
        '## TASK-1\n- Wrote the types\n- Lesson: the webhook needs the raw body\n- Gotcha: pm2 caches the old build\n',
      ),
    ).toEqual(['fact: the webhook needs the raw body', 'gotcha: pm2 caches the old build']);
  });

  it('have gotchas of a group, and not its other sections', () => {
    const notes = `# RALPH Notes - shop\n\n## Group 1: Foundation\n\n### What was implemented\n\nThe whole workspace with types.\n
### Gotchas & surprises\n\n- The linter follows links into the cache; name the folders\n  instead of a dot.\n\n### Tests added\n\n- Twelve of them for the parser\n`;
    expect(texts(notes)).toEqual([
      'gotcha: The linter follows links into the cache; name the folders instead of a dot.',
    ]);
  });

  it('are read with a byte-order mark, CRLF and no final newline', () => {
    expect(
      texts('\uFEFF## Codebase Patterns\r\n- Use the shared logger everywhere\r\n- Dates are stored in UTC'),
    ).toEqual(['pattern: Use the shared logger everywhere', 'pattern: Dates are stored in UTC']);
  });

  it('give nothing for placeholders, code, or prose', () => {
    expect(
      texts('## Codebase Patterns\n(to be filled as patterns are discovered)\n\n## Log\n- [PASS] US-001 - a thing\n'),
    ).toEqual([]);
    expect(texts('## Codebase Patterns\n\n```\n- this stands in a fence\n```\n- None yet, really nothing\n')).toEqual(
      [],
    );
    expect(texts('Completed\n- US-001: a structured model\n  - with many details of it\n')).toEqual([]);
  });

  it('that are lessons throughout need no section', () => {
    const read = readLearnings('---\ntitle: Learnings\n---\n\n## 1. Stories\n\n- [ ] Test behaviour, not shapes\n');
    expect(read).toEqual([{ kind: 'fact', text: 'Test behaviour, not shapes' }]);
  });

  it('never make the reader throw, and give bounded lessons', () => {
    const piece = fc.constantFrom(
      '## Codebase Patterns\n',
      '- ',
      '  - ',
      '\n',
      '---\n',
      '```\n',
      '**Learnings:**\n',
      'Lesson: ',
      'word '.repeat(300),
      '\u0000',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string({ unit: 'binary' })), { maxLength: 40 }), parts => {
        for (const { text } of readNotes(parts.join(''))) expect(text.length).toBeLessThanOrEqual(600);
      }),
      { numRuns: runs },
    );
  });
});
