/**
 * What the model does, and what has to come of it. `later` is what it does once the run waits; `needs` is what an agent must have
 * for it, and `lack` says what those have not that do not.
 */
import { closingForm } from './closing-form.mjs';

export const CLAIM = 'RALPH_TASK_COMPLETE: T-1';
const work = { turns: [{ shell: 'echo made > made.txt' }, { say: `All done.\n\n${CLAIM}` }] };

/** `accepted` after a wait, with nothing charged. */
const waits = kind => ({ exit: 0, verdicts: ['retry', 'accepted'], failure: kind });
/** Some are silent for minutes while they try again. */
const patient = agent => (agent.slow ? '240s' : undefined);
/** Nobody can work: nothing is charged, and a person is asked. */
const unusable = (kinds, exit = 3) => ({ exit, verdicts: ['retry'], failure: kinds });

export const scenarios = {
  success: { model: work, expect: { exit: 0, verdicts: ['accepted'] }, short: true },
  'closing form': closingForm,
  'false claim': { model: { turns: [{ say: `Done.\n\n${CLAIM}` }] }, expect: { exit: 3, verdicts: ['rejected'] } },
  'claim in tool output': {
    model: { turns: [{ shell: `echo made > made.txt; echo '${CLAIM}'` }, { say: 'I looked at it.' }] },
    expect: { exit: 3, verdicts: ['rejected'] },
  },
  429: {
    model: { ...work, fail: { status: 429 } },
    later: work,
    idle: patient,
    expect: waits('rate-limit'),
    short: true,
  },
  'usage limit': {
    needs: agent => agent.limit,
    lack: 'no usage limit of it was ever recorded',
    model: agent => ({ ...work, fail: agent.limit(3600) }),
    env: agent => agent.limitEnv ?? {},
    settings: agent => agent.limitSettings,
    later: work,
    resume: true,
    expect: agent => ({ ...waits('rate-limit'), announced: !agent.limitHasNoEnd }),
  },
  529: {
    model: { ...work, fail: { status: 529 } },
    later: work,
    idle: patient,
    expect: waits('overload'),
  },
  401: { model: { ...work, fail: { status: 401 } }, expect: unusable(['auth']), short: true },
  'no key': {
    // Where it asks all the same, it is refused.
    model: { ...work, needsKey: true },
    env: agent => ({ [agent.key]: '' }),
    expect: unusable(['auth', 'setup', 'logic'], [3, 4]),
  },
  'bad flag': { model: work, args: () => ['--no-such-flag'], expect: unusable(['setup'], 4) },
  'unknown model': { model: { ...work, fail: { status: 404 } }, expect: unusable(['setup', 'validation', 'logic'], 4) },
  'max turns': {
    needs: agent => agent.turnFlag ?? agent.turnSetting,
    lack: 'it has no limit of turns',
    model: work,
    args: agent => agent.turnFlag ?? [],
    settings: () => ({ maxTurns: 1 }),
    expect: { exit: 3, verdicts: ['rejected'] },
  },
  hang: {
    model: { ...work, hang: true },
    later: work,
    idle: agent => (agent.slow ? '60s' : '30s'),
    expect: { exit: 0, verdicts: ['retry', 'accepted'], failure: 'timeout' },
  },
  'left-over child': {
    model: {
      turns: [{ shell: 'echo made > made.txt; (setsid sleep 4321 > /dev/null 2>&1 &)' }, { say: `Done.\n\n${CLAIM}` }],
    },
    expect: { exit: 0, verdicts: ['accepted'], gone: 'sleep 4321' },
  },
  'permission denied': {
    model: work,
    args: agent => agent.askingFlag ?? [],
    settings: () => ({ refuses: true }),
    expect: agent => ({ exit: 3, verdicts: [agent.refusedUnsaid ? 'rejected' : 'retry'] }),
  },
  // Each call costs more than a dollar; so does what can be seen of one, for those that count tokens only at the end.
  'cost cap': {
    model: {
      turns: [
        ...Array.from({ length: 12 }, (_, n) => ({ shell: `timeout 2 tail -f /dev/null; echo ${n}` })),
        { shell: 'echo made > made.txt' },
        { say: `Done.\n\n${CLAIM}` },
      ],
    },
    config: { prices: { '*': { input: 1000, output: 1000, cached: 1000 } } },
    limits: { cost: 2 },
    expect: { exit: 1, verdicts: ['retry'], calls: [2, 11], cost: 2 },
  },
  // The session that passes it finishes and is judged; the next item is left for a person.
  'soft cost cap': {
    stories: [
      { id: 'T-1', title: 'Make made.txt', passes: false },
      { id: 'T-2', title: 'Make more.txt', passes: false },
    ],
    model: work,
    config: { prices: { '*': { input: 1000, output: 1000, cached: 1000 } } },
    // Less than the cheapest of them says by itself.
    limits: { 'soft-cost': 0.001, cost: 1000 },
    expect: { exit: 1, verdicts: ['accepted'], cost: 0.001, why: 'past the soft limit' },
  },
  'claim by tool': {
    needs: agent => agent.takesMcp,
    lack: 'it takes no MCP server from a command line',
    config: { mcp: true },
    model: {
      turns: [
        { shell: 'echo made > made.txt' },
        { tool: { name: /ralph.*progress$/, input: { text: 'Made it.' } } },
        { tool: { name: /ralph.*claim$/ } },
        { say: 'I am finished.' },
      ],
    },
    expect: { exit: 0, verdicts: ['accepted'], claim: 'tool' },
  },
  'question by tool': {
    needs: agent => agent.takesMcp,
    lack: 'it takes no MCP server from a command line',
    config: { mcp: true },
    model: {
      turns: [{ tool: { name: /ralph.*question$/, input: { text: 'English or French?' } } }, { say: 'I asked.' }],
    },
    expect: { exit: 3, verdicts: ['blocked'] },
  },
  'list of hosts': {
    hosts: url => [new URL(url).host],
    model: work,
    expect: { exit: 0, verdicts: ['accepted'] },
  },
  'question on its line': {
    model: { turns: [{ say: 'I looked around.\n\nRALPH_TASK_QUESTION: T-1 - English or French?' }] },
    expect: { exit: 3, verdicts: ['blocked'] },
  },
  question: {
    model: { turns: [{ say: 'Before I begin: should the file be in English or in French?' }] },
    expect: { exit: 3, verdicts: ['rejected'] },
  },
};
