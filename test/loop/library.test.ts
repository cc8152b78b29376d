/** The library as a program of its own uses it: its agent and its plan format are not among the built-in ones. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  type Agent,
  audit,
  doctor,
  type Event,
  type Item,
  lessons,
  type Plan,
  type PlanFormat,
  report,
  run,
  textDocument,
} from '../../src/index.ts';
import { fail, ok } from '../../src/util/result.ts';
import { cleanEnv } from '../support/cli.ts';
import { makeRepo } from '../support/repo.ts';

/** One line for each item: `todo A Title` or `done A Title`. */
const LINE = /^(todo|done) (\S+) (.*)$/;

const lineFormat: PlanFormat = {
  name: 'lines',
  find: path => (path.endsWith('.tasks') ? path : undefined),
  parse: (text, path) =>
    textDocument(text, now => ({
      plan: linePlan(now, path),
      mark: ({ id, to }) => {
        const found = now.split('\n').find(line => LINE.exec(line)?.[2] === id);
        if (found === undefined) return fail({ reason: 'unknown-item', message: `there is no item ${id}` });
        return ok(now.replace(found, found.replace(/^\w+/, to === 'done' ? 'done' : 'todo')));
      },
      append: ({ id, title }) => ok(`${now}todo ${id} ${title}\n`),
    })),
};

function linePlan(text: string, path: string): Plan {
  const items = text.split('\n').flatMap((line, index): Item[] => {
    const [, state, id = '', title = ''] = LINE.exec(line) ?? [];
    if (state === undefined) return [];
    const status = state === 'done' ? 'done' : 'pending';
    const told = { id, title, status, line: index + 1 } as const;
    return [{ ...told, dependsOn: [], body: '', criteria: [], verify: [], changeOptional: false }];
  });
  const error = items.length > 0 ? undefined : ({ level: 'error', line: 1, column: 1, message: 'no items' } as const);
  const ids = items.map(({ id }) => id);
  const problems = error ? [error] : [];
  return { format: 'lines', path, name: 'lines', ids, items, problems, error, instructions: '', repeats: false };
}

/** A program that writes one file and says so in its last line. */
const ownAgent = (program: string): Agent => ({
  name: 'own',
  command: ({ model = 'none' }) => ({ argv: [process.execPath, program], env: { OWN_MODEL: model } }),
  read: () => {
    let message = '';
    return {
      line: line => {
        message = line;
        return [{ type: 'text', text: line }];
      },
      end: () => ({ message, usage: { inputTokens: 7, outputTokens: 3, cachedTokens: 0 }, costUsd: 0.5 }),
    };
  },
});

test('a plan in a format of its own is worked through by an agent of its own', async () => {
  const repo = makeRepo({
    files: {
      'work.tasks': '# mine\ntodo A First thing\ntodo B Second thing\n',
      'ralph.yaml': 'plan: work.tasks\nmodel: large\ngates: ["test -f work.tasks"]\n',
      '.gitignore': '.ralph/\n',
    },
    branch: 'work',
  });
  const program = join(repo.outside, 'agent.mjs');
  writeFileSync(
    program,
    `import { writeFileSync } from 'node:fs';
const { RALPH_ITEM, OWN_MODEL } = process.env;
writeFileSync(RALPH_ITEM + '.txt', OWN_MODEL + '\\n');
console.log('RALPH_TASK_COMPLETE: ' + RALPH_ITEM);
`,
  );
  const here = { cwd: repo.root, env: cleanEnv(repo.home) };
  const own = { agent: ownAgent(program), formats: [lineFormat] };

  const ready = await doctor({ ...here, ...own });
  expect(ready.findings.filter(({ level }) => level === 'bad')).toEqual([]);
  expect(ready.ready).toBe(true);
  // Without the format nothing knows this file.
  expect((await doctor({ ...here, agent: own.agent })).ready).toBe(false);

  const base = repo.git('rev-parse', 'HEAD').trim();
  const events: Event[] = [];
  const result = await run({ ...here, ...own, sinks: [event => events.push(event)] });
  expect(result).toMatchObject({ type: 'finished', exit: 0, reason: 'complete' });
  expect(repo.read('work.tasks')).toBe('# mine\ndone A First thing\ndone B Second thing\n');
  expect(repo.read('A.txt')).toBe('large\n');
  expect(repo.git('log', '--format=%s', `${base}..HEAD`)).toMatch(/B[\s\S]*A/);
  const started = events.find(event => event.type === 'run.started');
  expect(started).toMatchObject({ agent: 'own', plan: { format: 'lines' } });
  expect(result.type === 'finished' && result.state.costUsd).toBe(1);

  const looked = await audit({ ...here, range: `${base}..HEAD` });
  expect(looked.ok && looked.value.files).toBe(3);
  const told = await report({ ...here, formats: own.formats });
  expect(told.ok && told.value).toContain('Second thing');
  expect(await lessons(here)).toEqual({ ok: true, value: [] });
  expect(await report({ ...here, run: 'no-such-run' })).toMatchObject({ ok: false, error: { reason: 'no-run' } });
});

test.each([
  [{ maxCost: Number(undefined) }, 'overrides.maxCost must be a number of dollars above 0, and is NaN'],
  [{ maxIterations: -1 }, 'overrides.maxIterations must be a whole number above 0, and is -1'],
  [{ timeoutMs: Infinity }, 'overrides.timeoutMs must be a number of milliseconds above 0, and is Infinity'],
  [{ deadline: 'soon' }, 'overrides.deadline must be a time such as "07:00"'],
])('a limit that is none is refused: %j', async (overrides, said) => {
  const repo = makeRepo({ files: { 'PROGRESS.md': '- [ ] A: First\n' } });
  const here = { cwd: repo.root, env: cleanEnv(repo.home), overrides };
  const result = await run({ ...here, agent: ownAgent('none.mjs') });
  expect(result).toMatchObject({ type: 'refused', exit: 2, failure: { reason: 'config-invalid' } });
  expect(result.type === 'refused' && result.failure.message).toContain(said);
  const [finding] = (await doctor(here)).findings;
  expect(finding).toMatchObject({ level: 'bad', name: 'config' });
  expect(finding?.detail).toContain(said);
});

test('a working folder that is a file is refused as such', async () => {
  const repo = makeRepo();
  const result = await run({ cwd: join(repo.root, '.git/HEAD'), env: cleanEnv(repo.home) });
  expect(result).toMatchObject({ type: 'refused', exit: 4, failure: { reason: 'no-folder' } });
});
