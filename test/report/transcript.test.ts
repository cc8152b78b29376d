import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { agentNamed } from '../../src/agents/known.ts';
import { parseSignal } from '../../src/journal/signals.ts';
import type { AgentSignal } from '../../src/protocol.ts';
import { renderLine } from '../../src/report/layout.ts';
import { stepLines } from '../../src/report/steps.ts';
import { painter } from '../../src/report/style.ts';
import { stepInOneLine, transcript } from '../../src/report/transcript.ts';
import { displayWidth } from '../../src/report/width.ts';
import { START, utcTime } from './scenario.ts';

const paint = painter({ color: false });

/** One signal every `gap` seconds, as a person reads them. */
function shown(signals: readonly AgentSignal[], { columns, gap = 1 }: { columns?: number; gap?: number } = {}): string {
  const { take } = transcript();
  return signals
    .flatMap((signal, n) => take(signal, START + n * gap * 1000))
    .flatMap(step => stepLines(step, { since: START, paint }))
    .flatMap(line => renderLine(line, { paint, clockTime: utcTime, columns }))
    .join('\n');
}

function recorded(agent: string, file: string): readonly AgentSignal[] {
  const path = fileURLToPath(new URL(`../agents/streams/${file}`, import.meta.url));
  const reader = agentNamed(agent)?.read();
  return readFileSync(path, 'utf8')
    .split('\n')
    .flatMap(line => reader?.line(line) ?? []);
}

const work: readonly AgentSignal[] = [
  { type: 'usage', usage: { inputTokens: 12_000, outputTokens: 300, cachedTokens: 0 } },
  {
    type: 'text',
    text: 'I will look at the tests of the invoice first, and then at what they need.\n\n\nThen I build it.',
  },
  { type: 'tool', name: 'Bash', detail: 'npm test', id: 'a' },
  { type: 'result', text: Array.from({ length: 12 }, (_, n) => `ok ${n + 1} - adds`).join('\n'), lines: 125, id: 'a' },
  { type: 'tool', name: 'Task', detail: 'Find every caller', id: 'b' },
  { type: 'text', text: 'Looking for callers.', from: 'b' },
  { type: 'tool', name: 'Grep', detail: 'invoice\\(', id: 'c', from: 'b' },
  { type: 'tool', name: 'Read', detail: 'src/invoice.ts', id: 'd', from: 'b' },
  { type: 'result', text: 'src/pay.ts:3', lines: 1, id: 'c', from: 'b' },
  { type: 'usage', usage: { inputTokens: 20_000, outputTokens: 900, cachedTokens: 0 } },
  { type: 'tool', name: 'Edit', detail: 'src/invoice.ts', id: 'e' },
  { type: 'result', text: 'String to replace not found in file.\nString: total()', lines: 2, failed: true, id: 'e' },
  { type: 'retrying', detail: '529 overloaded, try 1 of 10, waiting 600ms' },
  { type: 'error', text: 'API Error: 529 Overloaded' },
  { type: 'finished' },
];

describe('what an agent did', () => {
  test('at 80 columns', () => {
    expect(shown(work, { columns: 80, gap: 40 })).toBe(
      `
       0:40       I will look at the tests of the invoice first, and then at
                  what they need. · 12.3k tokens

                  Then I build it.
       1:20       Bash npm test
                    ok 1 - adds
                    ok 2 - adds
                    ok 3 - adds
                    ok 4 - adds
                    ok 5 - adds
                    … 120 more lines
       2:40       Task Find every caller
       3:20         Looking for callers.
       4:00         Grep invoice\\(
       4:40         Read src/invoice.ts
       5:20         of Grep invoice\\(
                      src/pay.ts:3
       6:40       Edit src/invoice.ts · 20.9k tokens
                    String to replace not found in file.
                    String: total()
       8:00       retrying: 529 overloaded, try 1 of 10, waiting 600ms
       8:40       error: API Error: 529 Overloaded`.slice(1),
    );
  });

  test('at 120 columns a sentence needs fewer lines, and in a pipe only one', () => {
    const [wide] = shown(work, { columns: 120 }).split('\n');
    const words = 'I will look at the tests of the invoice first, and then at what they need. · 12.3k tokens';
    expect(wide).toBe(`       0:01       ${words}`);
    expect(shown([{ type: 'text', text: 'word '.repeat(100) }])).toMatch(/^ {7}0:00 {7}(word ){99}word$/);
  });

  test.each([40, 80, 120])('at %i columns no line is wider, whatever was said or printed', columns => {
    const long = `${'x'.repeat(300)} ${'請求書'.repeat(50)} \u001b[31mred\u001b[0m\t${'a b '.repeat(80)}`;
    const text = shown(
      [
        { type: 'text', text: long },
        { type: 'tool', name: long, detail: long, id: '1' },
        { type: 'result', text: long, lines: 1, failed: true, id: '1' },
        { type: 'error', text: long },
      ],
      { columns },
    );
    expect(Math.max(...text.split('\n').map(displayWidth))).toBeLessThanOrEqual(columns);
    expect(text).not.toContain('\u001b');
  });

  test('a flood of blanks is read in no time', () => {
    const { take } = transcript();
    const blanks = `a${' '.repeat(2_000_000)}b${'\n'.repeat(2_000_000)}`;
    for (const signal of [{ type: 'text', text: blanks } as const, { type: 'error', text: blanks } as const])
      take(signal);
    // Quadratic time would be hours, which no test is given.
  });

  test('in one line each, an answer that is as it should be left out', () => {
    const { take } = transcript();
    expect(work.flatMap(signal => take(signal).map(stepInOneLine)).filter(Boolean)).toEqual([
      'I will look at the tests of the invoice first, and then at what they need. Then I build it.',
      'Bash npm test',
      'Task Find every caller',
      'Looking for callers.',
      'Grep invoice\\(',
      'Read src/invoice.ts',
      'Edit src/invoice.ts',
      'failed: String to replace not found in file. String: total()',
      'retrying: 529 overloaded, try 1 of 10, waiting 600ms',
      'error: API Error: 529 Overloaded',
    ]);
  });
});

describe('recorded streams', () => {
  test('claude that did its work', () => {
    expect(shown(recorded('claude', 'claude-2.1.325.jsonl'), { columns: 80 })).toBe(
      `
       0:01       Bash echo hello > made-by-agent.txt · 911 tokens
                    (Bash completed with no output)
       0:04       All done. · 1.8k tokens
                  <promise>COMPLETE</promise>`.slice(1),
    );
  });

  test('claude that was not permitted', () => {
    expect(shown(recorded('claude', 'claude-2.1.112-permission-denied.jsonl'), { columns: 80 })).toContain(
      `
       0:01       Bash echo hello > made-by-agent.txt · 911 tokens
                    Output redirection to
                    '/sandbox/srv/2.1.112-no-permission/made-by-agent.txt' was
                    blocked. For security, Claude Code may only write to files
                    in the allowed working directories for this session:
                    '/sandbox/srv/2.1.112-no-permission'.
`.slice(1),
    );
  });

  test('claude that was cut off', () => {
    expect(shown(recorded('claude', 'claude-2.1.112-cut-off.jsonl'))).toBe(
      '       0:01       Bash echo started > made-by-agent.txt; sleep 77 & sleep 78 · 917 tokens',
    );
  });

  test('codex, without the shell around each command', () => {
    expect(shown(recorded('codex', 'codex.jsonl'))).toBe(
      `
       0:00       Bash echo hello > made-by-agent.txt
       0:01       All done.
                  <promise>COMPLETE</promise>`.slice(1),
    );
  });

  test('codex that was refused', () => {
    expect(shown(recorded('codex', 'codex-429.jsonl'))).toBe(
      '       0:00       error: exceeded retry limit, last status: 429 Too Many Requests',
    );
  });
});

describe('the signals that were kept', () => {
  test('are read with their time, and without it where an older version wrote them', () => {
    expect(parseSignal('{"at":5,"type":"tool","name":"Bash","detail":"ls","id":"1"}')).toEqual({
      at: 5,
      signal: { type: 'tool', name: 'Bash', detail: 'ls', id: '1' },
    });
    expect(parseSignal('{"type":"text","text":"hello"}')).toEqual({ signal: { type: 'text', text: 'hello' } });
  });

  test.each(['', '{', 'null', '[]', '7', '{"type":"other"}', '{"at":1}'])('%j is none', line => {
    expect(parseSignal(line)).toBeUndefined();
  });

  test('fields of another type do no harm', () => {
    expect(parseSignal('{"at":"x","type":"usage","usage":[1],"costUsd":"1"}')).toEqual({
      signal: { type: 'usage', usage: { inputTokens: 0, outputTokens: 0, cachedTokens: 0 } },
    });
    expect(parseSignal('{"type":"result","text":{},"lines":-3,"failed":"no"}')).toEqual({
      signal: { type: 'result', text: '', lines: 0 },
    });
  });
});
