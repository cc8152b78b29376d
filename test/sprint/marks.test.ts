import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { pickNext } from '../../src/plan/next.ts';
import { sprint } from '../../src/plan/sprint.ts';
import type { Begin, Mark } from '../../src/protocol.ts';
import { runs } from '../plan/support.ts';
import { texts } from '../plan/texts.ts';
import { AT, PROGRESS, planOf } from './support.ts';

const ISO = '2026-01-16T10:00:00.000Z';
const value = <T>(result: { ok: true; value: T } | { ok: false; error: { message: string } }): T => {
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
};
const mark = (text: string, id: string, to: Mark['to'], more: Partial<Mark> = {}) =>
  value(texts(sprint).mark(text, { id, to, at: AT, ...more }));
const begin = (text: string, id: string, more: Partial<Begin> = {}) =>
  value(texts(sprint).begin(text, { id, attempt: 1, at: AT, ...more }) ?? { ok: true, value: text });

/** Lines that are only in one of two texts: the old with `-`, then the new with `+`. */
function changes(before: string, after: string): readonly string[] {
  const only = (lines: readonly string[], others: readonly string[]) => {
    const left = [...others];
    return lines.filter(line => {
      const at = left.indexOf(line);
      if (at >= 0) left.splice(at, 1);
      return at < 0;
    });
  };
  const [old, now] = [before.split('\n'), after.split('\n')];
  return [...only(old, now).map(line => `- ${line.trim()}`), ...only(now, old).map(line => `+ ${line.trim()}`)];
}

describe('marking done', () => {
  it('changes the leaf, what it completes, the pointer and the counters, and nothing else', () => {
    const after = mark(PROGRESS, 'development/step-0/qa', 'done');
    expect(after).toBe(
      PROGRESS.replace(
        '        status: in-progress\n        phases:',
        `        status: completed\n        completed-at: "${ISO}"\n        phases:`,
      )
        .replace(
          '- id: qa\n            status: pending',
          `- id: qa\n            status: completed\n            completed-at: "${ISO}"`,
        )
        .replace('  step: 0\n  sub-phase: 1', '  step: 1\n  sub-phase: 0')
        .replace('completed-phases: 2', 'completed-phases: 3')
        .replace('completed-steps: 0', 'completed-steps: 1'),
    );
  });

  it('edits a mapping in flow style in its line', () => {
    const after = mark(PROGRESS, 'development/step-1/implement', 'done');
    expect(after).toContain(
      `- {id: step-1, prompt: Log out, status: completed, completed-at: "${ISO}", phases: [{id: implement, status: completed, completed-at: "${ISO}", prompt: Do it}]}`,
    );
    // The pointer's own leaf is still open.
    expect(after).toContain('  phase: 1\n  step: 0\n  sub-phase: 1');
  });

  it('walks to the end', () => {
    let text = PROGRESS;
    const seen: string[] = [];
    for (;;) {
      const { next } = pickNext({ items: planOf(text).items, status: item => item.status });
      if (!next) break;
      seen.push(next.id);
      text = mark(begin(text, next.id), next.id, 'done');
    }
    expect(seen).toEqual(['development/step-0/qa', 'development/step-1/implement', 'development/step-2', 'summary']);
    expect(parse(text)).toMatchObject({
      status: 'completed',
      phases: [
        { status: 'completed' },
        { status: 'completed', 'started-at': ISO, 'completed-at': ISO },
        { status: 'completed' },
      ],
      current: { phase: 3, step: null, 'sub-phase': null },
      stats: { 'started-at': ISO, 'completed-at': ISO, 'completed-phases': 6, 'completed-steps': 3 },
    });
    for (const comment of [
      '# A sprint',
      '# with a comment',
      '# first of all',
      '# half way',
      '# where we are',
      '# the end',
    ]) {
      expect(text).toContain(comment);
    }
  });

  it('keeps the line ends of the file', () => {
    const crlf = PROGRESS.replaceAll('\n', '\r\n');
    expect(mark(crlf, 'development/step-0/qa', 'done')).toBe(
      mark(PROGRESS, 'development/step-0/qa', 'done').replaceAll('\n', '\r\n'),
    );
  });

  it('works without a final line end, a status or a pointer', () => {
    const after = mark('phases:\n  - id: a\n  - prompt: |\n      b\n  - id: c', 'a', 'done');
    expect(after).toBe(
      `status: in-progress\nphases:\n  - id: a\n    status: completed\n    completed-at: '${ISO}'\n  - prompt: |\n      b\n  - id: c`,
    );
    const second = mark(after, 'phase-1', 'done');
    expect(second).toContain(`  - status: completed\n    completed-at: '${ISO}'\n    prompt: |\n      b\n`);
    expect(mark(second, 'c', 'done').endsWith(`- id: c\n    status: completed\n    completed-at: '${ISO}'`)).toBe(true);
  });
});

describe('other marks', () => {
  it('blocks with the reason, and the sprint waits there: what follows is not ready', () => {
    const after = mark(PROGRESS, 'development/step-0/qa', 'blocked', { note: 'no "key": none' });
    expect(changes(PROGRESS, after)).toEqual([
      '- status: in-progress',
      '- status: pending',
      '+ status: blocked',
      '+ status: blocked',
      '+ error: "no \\"key\\": none"',
    ]);
    expect(planOf(after).items[2]).toMatchObject({ status: 'blocked', note: 'no "key": none' });
  });

  it('points at what is blocked when nothing else is left, and behind the last phase only when all is done', () => {
    const text = 'phases: [{id: a, status: blocked}, {id: b}]\ncurrent: {phase: 1, step: null, sub-phase: null}\n';
    const stuck = mark(text, 'b', 'done');
    expect(stuck).toContain('\ncurrent: {phase: 0, step: null, sub-phase: null}\n');
    expect(mark(stuck, 'a', 'done')).toContain('\ncurrent: {phase: 2, step: null, sub-phase: null}\n');
  });

  it('is blocked as a whole when nothing else is left', () => {
    const text = 'status: in-progress\nphases: [{id: a, status: pending}]\n';
    expect(mark(text, 'a', 'blocked')).toBe('status: blocked\nphases: [{id: a, status: blocked}]\n');
    expect(mark(mark(text, 'a', 'blocked', { note: 'x' }), 'a', 'pending')).toBe(text);
  });

  it('skips with the reason, and counts a step as complete without it', () => {
    const after = mark(PROGRESS, 'development/step-0/qa', 'skipped', { note: 'not needed' });
    expect(parse(after).phases[1].steps[0]).toMatchObject({
      status: 'completed',
      phases: [{}, { status: 'skipped', reason: 'not needed' }],
    });
  });

  it('resets: what was counted is gone, unless it is tried again', () => {
    const id = 'development/step-0/qa';
    const begun = begin(PROGRESS, id, { attempt: 3 });
    const leaf = (text: string) => parse(text).phases[1].steps[0].phases[1];
    expect(leaf(begun)).toMatchObject({ status: 'in-progress', 'started-at': ISO, 'retry-count': 2 });
    expect(leaf(mark(begun, id, 'pending', { again: true, note: 'red' }))).toEqual({
      id: 'qa',
      status: 'pending',
      'started-at': ISO,
      'retry-count': 2,
      prompt: 'Check it',
      model: 'haiku',
    });
    expect(leaf(mark(begun, id, 'pending'))).toEqual({
      id: 'qa',
      status: 'pending',
      prompt: 'Check it',
      model: 'haiku',
    });
  });

  it('opens again what was complete', () => {
    let text = mark(PROGRESS, 'development/step-0/qa', 'done');
    text = mark(text, 'development/step-0/implement', 'pending');
    expect(parse(text).phases[1].steps[0]).toMatchObject({ status: 'in-progress' });
    expect(parse(text).phases[1].steps[0]).not.toHaveProperty('completed-at');
    const finished =
      'status: completed\nphases: [{id: a, status: completed}]\ncurrent: {phase: 1}\nstats: {completed-at: x}\n';
    expect(mark(finished, 'a', 'pending')).toBe(
      'status: in-progress\nphases: [{id: a, status: pending}]\ncurrent: {phase: 0}\nstats: {}\n',
    );
  });

  it('fills keys that have no value yet', () => {
    const text = 'status:\nphases:\n  - id: a\n    status:\n    completed-at:\ncurrent:\n  phase: 0\n  step:\n';
    expect(mark(text, 'a', 'done')).toBe(
      `status: completed\nphases:\n  - id: a\n    status: completed\n    completed-at: '${ISO}'\ncurrent:\n  phase: 1\n  step:\n`,
    );
  });

  it('knows only its own items', () => {
    expect(texts(sprint).mark(PROGRESS, { id: 'sumary', to: 'done' })).toMatchObject({
      ok: false,
      error: { reason: 'unknown-item', hint: 'Did you mean "summary"?' },
    });
  });
});

describe('beginning', () => {
  it('writes down the leaf, what it is part of, and where the sprint is', () => {
    const after = begin(PROGRESS, 'development/step-2', { attempt: 2 });
    expect(changes(PROGRESS, after)).toEqual([
      '- status: pending',
      '- step: 0',
      '- sub-phase: 1',
      '- started-at: null',
      `+ started-at: "${ISO}"`,
      '+ status: in-progress',
      `+ started-at: "${ISO}"`,
      '+ retry-count: 1',
      '+ step: 2',
      '+ sub-phase: null',
      `+ started-at: "${ISO}"`,
    ]);
    expect(begin(after, 'development/step-2', { attempt: 2 })).toBe(after);
  });
});

describe('adding', () => {
  const item = {
    id: 'fix-final-1',
    title: 'Make it pass',
    body: '`npm test` failed:\n\n  1) red\u001b[0m',
    criteria: ['`npm test` exits 0'],
  };
  test.each([
    ['block', PROGRESS],
    ['CRLF', PROGRESS.replaceAll('\n', '\r\n')],
    ['flow', 'phases: [{id: a, status: completed}]\n'],
    ['no final line end', 'phases:\n- id: a\n  status: pending'],
    ['a block at the end', 'phases:\n    - id: a\n      prompt: |+\n          text\n\n'],
    ['a comment at the end', 'phases:\n  - id: a # here\n# there\ncurrent: {phase: 1}\n'],
  ])('puts a phase at the end: %s', (_, text) => {
    const after = value(texts(sprint).append(text, item));
    const plan = planOf(after);
    expect(plan.problems).toEqual([]);
    expect(plan.items.slice(0, -1).map(each => [each.id, each.body])).toEqual(
      planOf(text).items.map(each => [
        each.id,
        each.body.replace(/ (\d+)\/(\d+)/, (_all, at, of) => ` ${at}/${Number(of) + 1}`),
      ]),
    );
    expect(plan.items.at(-1)).toMatchObject({
      id: 'fix-final-1',
      status: 'pending',
      title: 'fix-final-1: Make it pass',
    });
    expect(plan.items.at(-1)?.body).toContain('Make it pass\n\n`npm test` failed:\n\n  1) red\n\n- `npm test` exits 0');
  });

  it('opens a finished sprint', () => {
    const text =
      'status: completed\nphases: [{id: a, status: completed}]\ncurrent: {phase: 1}\nstats: {total-phases: 1, completed-phases: 1}\n';
    expect(parse(value(texts(sprint).append(text, item)))).toMatchObject({
      status: 'in-progress',
      current: { phase: 1 },
      stats: { 'total-phases': 2, 'completed-phases': 1 },
    });
    expect(texts(sprint).append(text, { ...item, id: 'a' })).toMatchObject({
      ok: false,
      error: { reason: 'duplicate-item' },
    });
  });
});

describe('any sprint, any marks', () => {
  const words = fc.constantFrom(
    'plain',
    'two words',
    'a: b # c',
    '"quoted"',
    '# not a comment',
    'ünïcödé',
    '',
    '- item',
    '{x}',
  );
  const prompt = fc.oneof(
    words,
    fc.array(words, { minLength: 2, maxLength: 4 }).map(lines => `${lines.join('\n')}\n`),
  );
  const status = fc.constantFrom('pending', 'completed', 'in-progress', 'blocked', 'failed', 'skipped');
  const leaf = fc.record(
    { id: fc.constantFrom('a', 'b', 'c'), status, prompt, extra: words },
    { requiredKeys: ['id'] },
  );
  const step = fc.record(
    { id: fc.constantFrom('s', 't'), prompt, status, phases: fc.array(leaf, { maxLength: 3 }) },
    { requiredKeys: ['id'] },
  );
  const phase = fc.oneof(
    leaf,
    fc.record({ id: fc.constantFrom('p', 'q'), status, steps: fc.array(step, { minLength: 1, maxLength: 3 }) }),
  );
  const document = fc.record(
    {
      'sprint-id': words,
      status,
      phases: fc.array(phase, { minLength: 1, maxLength: 4 }),
      current: fc.record({ phase: fc.nat(4), step: fc.option(fc.nat(3)), 'sub-phase': fc.option(fc.nat(3)) }),
      stats: fc.constant({ 'started-at': null, 'total-phases': 3, 'completed-phases': 0, 'completed-steps': 0 }),
      notes: prompt,
    },
    { requiredKeys: ['phases'] },
  );
  const layout = fc.record({
    indent: fc.constantFrom(2, 4),
    collectionStyle: fc.constantFrom('any' as const, 'flow' as const),
    indentSeq: fc.boolean(),
    lineWidth: fc.constant(0),
  });
  const marks = fc.array(
    fc.record({
      nth: fc.nat(20),
      to: fc.constantFrom('done', 'pending', 'blocked', 'skipped', 'begin', 'again'),
      note: fc.option(words, { nil: undefined }),
    }),
    { minLength: 1, maxLength: 6 },
  );
  const STATE = new Set(['status', 'completed-at', 'started-at', 'retry-count', 'error', 'reason', 'current', 'stats']);
  const withoutState = (data: unknown): unknown => {
    if (Array.isArray(data)) return data.map(withoutState);
    if (typeof data !== 'object' || data === null) return data;
    return Object.fromEntries(
      Object.entries(data)
        .filter(([key]) => !STATE.has(key))
        .map(([key, inner]) => [key, withoutState(inner)]),
    );
  };

  it('says what was marked, keeps all else, and still parses', () => {
    fc.assert(
      fc.property(document, layout, marks, fc.boolean(), (data, options, wanted, comments) => {
        let text = stringify(data, options);
        if (comments && options.collectionStyle === 'any')
          text = text.replaceAll(/^( *)(- )?(id|status): ([\w-]+)$/gm, '$1$2$3: $4 # $3');
        const count = (source: string) => source.split('# id').length;
        for (const { nth, to, note } of wanted) {
          const before = planOf(text);
          const item = before.items[nth % before.items.length];
          if (!item) return;
          const next =
            to === 'begin'
              ? begin(text, item.id, { attempt: 2 })
              : mark(text, item.id, to === 'again' ? 'pending' : to, {
                  ...(note === undefined ? {} : { note }),
                  ...(to === 'again' ? { again: true } : {}),
                });
          const after = planOf(next);
          expect(after.problems.filter(({ level }) => level === 'error')).toEqual([]);
          const expected = to === 'begin' ? 'in-progress' : to === 'again' ? 'pending' : to;
          expect(after.items.find(({ id }) => id === item.id)?.status).toBe(expected);
          expect(after.items.map(({ id, body, title }) => ({ id, body, title }))).toEqual(
            before.items.map(({ id, body, title }) => ({ id, body, title })),
          );
          expect(withoutState(parse(next))).toEqual(withoutState(parse(text)));
          expect(count(next)).toBe(count(text));
          text = next;
        }
      }),
      // Every run is up to six marks, each parsed four times.
      { numRuns: Math.ceil(runs / 4) },
    );
  });
});
