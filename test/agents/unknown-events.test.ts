import { describe, expect, it } from 'vitest';
import { named, play } from './play.ts';
import { recordedNames, replay } from './recorded.ts';

describe('events that a reader does not know', () => {
  it.each([
    [
      'claude',
      [{ type: 'dream' }, { type: 'dream' }, { type: 'system', subtype: 'mood' }],
      [
        ['dream', 2],
        ['system/mood', 1],
      ],
    ],
    ['codex', [{ type: 'turn.started' }, { type: 'turn.paused' }], [['turn.paused', 1]]],
    ['pi', [{ type: 'turn_start' }, { type: 'nap_start' }], [['nap_start', 1]]],
    ['gemini', [{ type: 'acp.update', update: { sessionUpdate: 'weather' } }], [['weather', 1]]],
    ['script', [{ type: 'whistle' }], [['whistle', 1]]],
  ])('%s: they are counted by their type, and end nothing', (name, records, unknown) => {
    const said = play(named(name), records);
    expect(said.unknown?.map(({ type, count }) => [type, count])).toEqual(unknown);
    expect(said.signals).toEqual([]);
  });

  it('a stream of random types does not fill the journal', () => {
    const records = Array.from({ length: 500 }, (_, n) => ({ type: `t${n}`.padEnd(300, 'x') }));
    const { unknown = [] } = play(named('claude'), records);
    expect(unknown).toHaveLength(21);
    expect(unknown.reduce((sum, { count }) => sum + count, 0)).toBe(500);
    expect(Math.max(...unknown.map(({ type }) => type.length))).toBeLessThan(61);
  });

  it.each(recordedNames)('%s: nothing in a stream of today is unknown but the extensions of its agent', name => {
    const { unknown = [] } = replay(name);
    expect(unknown.filter(({ type }) => !type.startsWith('_'))).toEqual([]);
  });
});
