import { describe, expect, test } from 'vitest';
import { buildBrief } from '../../src/brief/build.ts';
import { explainBrief } from '../../src/brief/explain.ts';
import { estimateTokens } from '../../src/brief/tokens.ts';
import { sampleInput } from './sample.ts';

const brief = buildBrief(
  sampleInput({ context: [{ path: 'docs/a.md', text: 'Words. '.repeat(5000) }], feedback: 'Gate test is red.' }),
);

describe('the table of a brief', () => {
  test('has a line per slot with its tokens, its budget and what was left out', () => {
    const lines = explainBrief(brief, []).split('\n');
    for (const slot of brief.slots) {
      const line = lines.find(text => text.startsWith(`${slot.name} `));
      expect(line?.split(/\s+/).slice(1, 3)).toEqual([String(slot.tokens), String(slot.budget)]);
    }
    expect(lines.find(line => line.startsWith('context '))).toContain('1 ranked out');
    expect(lines.find(line => line.startsWith('brief '))).toContain(String(estimateTokens(brief.text)));
  });

  test('counts what the agent loads by itself', () => {
    const text = explainBrief(brief, [{ path: 'AGENTS.md', bytes: 4001 }]);
    expect(text).toMatch(/^AGENTS\.md +1001 +- +loaded by the agent itself$/m);
    expect(text).toMatch(new RegExp(`^in all +${estimateTokens(brief.text) + 1001}$`, 'm'));
  });

  test('warns when every iteration pays too much, and names the largest', () => {
    expect(explainBrief(brief, [])).not.toContain('warning');
    const text = explainBrief(brief, [
      { path: 'AGENTS.md', bytes: 400 },
      { path: 'CLAUDE.md', bytes: 40_000 },
    ]);
    expect(text).toMatch(
      /warning: every iteration pays \d+ tokens .* more than 8000\. Largest: CLAUDE\.md \(10000\), context \(\d+\)/,
    );
  });

  test('takes another threshold', () => {
    expect(explainBrief(brief, [], { limit: 100 })).toContain('more than 100.');
  });
});
