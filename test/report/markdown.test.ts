import { fromMarkdown } from 'mdast-util-from-markdown';
import { describe, expect, test } from 'vitest';
import type { Durable, Recorded } from '../../src/events.ts';
import { reportMarkdown } from '../../src/report/markdown.ts';
import { fold } from '../../src/state.ts';
import { gate, items, journalOf, START, scenario, type Told } from './scenario.ts';

const report = (told: readonly Told[], plan: Parameters<typeof reportMarkdown>[0]['items'] = items) => {
  const records = journalOf(told);
  return reportMarkdown({ state: fold(records), records, items: plan });
};

test('a small run as a whole document', () => {
  expect(report(scenario)).toBe(
    `
# Run 2026-01-08-payments

**A person is needed: nothing is left but blocked items (US-002 waits for a person).**

| | |
|---|---|
| Items | 2 of 3 done · 1 blocked |
| Branch | ralph/payments |
| Commits | 2 (aaaaaaa..decade7) |
| Time | 14m 06s, 4 iterations |
| Tokens | 36.9k in, 6.3k out, 27.0k cached |
| Cost | $0.42 · $0.21 per accepted item · 48 % on work that was refused |
| Plan | prd.json |
| Agent | claude |

## What to review

- **Blocked** US-002 Send the invoice: needs the mail key
- **Final gate not green**: e2e, timed out after 3.0s
- **Guard warning** in US-001 (iteration 1): size: 12 files changed, more than 10 (\`src/a.ts\`)
- **Plan edit undone** in US-001 (iteration 1): US-003 was marked done
- **Process left behind** in US-002 (iteration 2): \`node server.js\` (pid 4242), killed
- **Gate was red** for US-002: test, iteration 2

## Items

| Item | Status | Attempts | Iterations | Time | Cost | Commit |
|---|---|--:|--:|--:|--:|---|
| US-001 Add the invoice table | done | 1 | 1 | 1m 22s | $0.12 | c0ffee1 |
| US-002 Send the invoice | blocked | 1 | 2 | 11m 24s | $0.20 |  |
| US-003 Show the total | done | 1 | 1 | 1m 02s | $0.10 | decade7 |

## The cost of forgetting

Tokens read per iteration: █ as it was, each agent in a fresh context; ░ what one growing session would have read on top.

\`\`\`text
1  █████████████████████████████████  21.3k
2  █████████████████████████████████░░░  21.3k + 2.1k
4  █████████████████████████████████░░░░░░░  21.3k + 4.2k
\`\`\`

In all 63.9k against at least 70.2k, $0.42 against about $0.46.

## Attempts

### US-001 Add the invoice table

- Iteration 1, attempt 1: **accepted**: claimed, every gate green
  - agent: Finished in 1m 05s · 12.3k in · 2.1k out · $0.12 · said done
  - changed: 12 files, +120 -4
  - guard warn: size: 12 files changed, more than 10 (\`src/a.ts\`)
  - gates: typecheck green in 3.2s, test green in 12s
  - commit \`c0ffee1\`

### US-002 Send the invoice

Blocked: needs the mail key. Its attempts follow, with their reasons; \`git show <ref>\` has the whole diff of one. To have it tried again:

\`\`\`text
ralph retry US-002 --with "what was missing" && ralph run
\`\`\`

- Iteration 2, attempt 1: **rejected** (gate-red): test is red: 1 of 40 failed
  - agent: Exited with code 3 after 1m 05s · 12.3k in · 2.1k out · $0.20 · said done
  - changed: 3 files, +120 -4
  - gates: typecheck green in 3.2s, **test** exit 1 after 900ms
  - the end of what test printed:

    \`\`\`text
    1 of 40 failed
    \`\`\`

  - kept as \`refs/ralph/2026-01-08-payments/US-002/1\`
- Iteration 3, attempt 2: **retry**: rate limit
  - agent: Killed for giving no output, after 10m 00s · no claim

### US-003 Show the total

- Iteration 4, attempt 1: **accepted**: claimed, every gate green
  - agent: Finished in 1m 05s · 12.3k in · 2.1k out · $0.10 · said done
  - changed: 1 file, +5 -0
  - gates: typecheck green in 3.2s, test green in 12s
  - commit \`decade7\`
`.slice(1),
  );
});

describe('escaping', () => {
  const evil = '<script>alert(1)</script> [x](javascript:y) **b** `c` | d | # e ~~f~~ $g$ & <!-- h';
  const told: readonly Told[] = scenario.map(([at, event]) => {
    if (event.type === 'iteration.started') return [at, { ...event, title: evil }];
    if (event.type === 'verdict') return [at, { ...event, verdict: { ...event.verdict, why: evil } }];
    if (event.type === 'plan.restored') return [at, { ...event, edits: [evil] }];
    if (event.type === 'iteration.finished') return [at, { ...event, ref: `refs/x\`\`<b>${evil}` }];
    if (event.type === 'evidence') {
      const gates = event.evidence.gates.map(one => ({
        ...one,
        name: evil,
        status: 'red' as const,
        tail: '```\n# out of the block\n<b>',
      }));
      return [at, { ...event, evidence: { ...event.evidence, gates } }];
    }
    return [at, event];
  });

  test('no text from outside becomes HTML, a link, a heading or emphasis', () => {
    const text = report(
      told,
      items.map(item => ({ ...item, title: evil })),
    );
    const kinds: Record<string, number> = {};
    const visit = (node: { type: string; children?: unknown[] }): void => {
      kinds[node.type] = (kinds[node.type] ?? 0) + 1;
      for (const child of node.children ?? []) visit(child as typeof node);
    };
    visit(fromMarkdown(text));
    expect(kinds).not.toHaveProperty('html');
    expect(kinds).not.toHaveProperty('link');
    expect(kinds).not.toHaveProperty('emphasis');
    // The title, four sections, one per item.
    expect(kinds.heading).toBe(1 + 4 + 3);
  });

  test('table rows keep their seven cells', () => {
    const text = report(
      told,
      items.map(item => ({ ...item, title: evil })),
    );
    const rows = text.split('\n').filter(line => line.startsWith('| US-00'));
    expect(rows).toHaveLength(3);
    for (const row of rows) expect(row.match(/(?<!\\)\|/g)).toHaveLength(8);
  });
});

test('an item that left the plan, an aborted iteration and an adopted commit are still told', () => {
  const told: readonly Told[] = [
    ...scenario.slice(0, 5),
    [
      20,
      { type: 'iteration.aborted', iteration: 1, item: 'US-001', why: 'the runner died', ref: 'refs/ralph/r/US-001/1' },
    ],
    [21, { type: 'item.adopted', item: 'US-009', commit: 'feedfacecafe' }],
  ];
  const text = report(told, []);
  expect(text).toContain('**Not finished yet.**');
  expect(text).toContain(
    '- Iteration 1, attempt 1: **cut off**: the runner died\n  - kept as `refs/ralph/r/US-001/1`\n',
  );
  expect(text).toContain('- **Adopted after a crash**: US-009, commit `feedfac`');
});

test('a process that several agents have seen is named once', () => {
  const strangers = [{ pid: 4711, command: 'code --type=renderer', killed: false }];
  const told = scenario.map(
    ([at, event]): Told =>
      event.type === 'agent.finished' ? [at, { ...event, end: { ...event.end, strangers } }] : [at, event],
  );
  expect(report(told).match(/Process started meanwhile.*/g)).toEqual([
    expect.stringContaining('in US-001 (iteration 1): `code --type=renderer` (pid 4711)'),
  ]);
});

test('a calm run has nothing to review', () => {
  expect(report(scenario.slice(0, 4))).toContain('## What to review\n\nNothing stands out.\n');
});

test('a journal of a thousand iterations with large texts is read once, in little memory', () => {
  const heap = () => {
    // Node keeps long strings outside of V8's heap.
    const { heapUsed, external } = process.memoryUsage();
    return (heapUsed + external) / 2 ** 20;
  };
  const before = heap();
  let most = 0;
  let seq = 0;
  function* journal(): Generator<Recorded> {
    const record = (event: Durable): Recorded => ({ ...event, seq: ++seq, at: START + seq });
    for (let iteration = 1; iteration <= 1000; iteration++) {
      // A text of its own each time, as one read from a file is.
      const big = Buffer.alloc(2_000_000, 'noise ').toString('latin1');
      const key = { iteration, item: `I-${iteration % 50}` };
      const attempt = Math.ceil(iteration / 50);
      const started = { base: 'b', tree: 't', lease: 'l', title: 't', attempt, try: attempt };
      yield record({ type: 'iteration.started', ...key, ...started });
      const finding = { rule: 'paths', level: 'block', message: big, path: big } as const;
      const evidence = {
        tree: 't',
        changed: true,
        files: 1,
        added: 1,
        deleted: 0,
        verify: [],
        verifyWasRed: false,
        findings: Array.from({ length: 200 }, () => finding),
        gates: [gate('test', { status: 'red', exit: 1, tail: big })],
      };
      yield record({ type: 'evidence', ...key, evidence });
      const verdict = { type: 'rejected', reason: 'gate-red', why: big, feedback: big } as const;
      yield record({ type: 'verdict', ...key, verdict: { ...verdict, signature: 's', next: 'fresh' } });
      yield record({ type: 'iteration.finished', ...key, verdict: 'rejected', tree: 't', durationMs: 1 });
      most = Math.max(most, heap() - before);
    }
  }
  const plan = Array.from({ length: 50 }, (_, index) => ({ id: `I-${index}`, title: 't', status: 'pending' as const }));
  const text = reportMarkdown({ state: fold([]), records: journal(), items: plan });
  expect(text.match(/^- Iteration /gm)).toHaveLength(1000);
  expect(text).toContain('more like these');
  expect(text.length).toBeLessThan(20_000_000);
  // Holding on to the texts would take 1,900 MiB.
  expect(most).toBeLessThan(1000);
});
