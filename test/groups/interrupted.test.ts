/** Attempts are counted before the agent starts, and what was said counts whatever ends the process. */
import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { recordsOf, verdictsIn } from '../loop/scene.ts';
import type { Repo } from '../support/repo.ts';
import { until, withinSeconds } from '../support/until.ts';
import { doesGroup, makeGroups, statusesIn } from './scene.ts';

/** A program beside the repository, or a folder of programs for PATH. */
function program(repo: Repo, name: string, script: string): string {
  const file = join(repo.outside, name);
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  return file;
}

const NOTES = 'printf \'\\n## Group %s: notes\\n\' "$RALPH_ITEM" >> docs/ralph/RALPH_NOTES.md';

describe.concurrent('a group that is cut off', () => {
  test('has its attempt in the state file already, and is taken up again after the crash', async () => {
    const repo = makeGroups({
      groups: ['One', 'Two', 'Three'],
      config: { gates: ['true'] },
      scenario: {
        items: {
          1: doesGroup(1),
          2: { steps: [{ write: { path: 'half.txt', text: 'half\n' } }, { hang: true }] },
          3: doesGroup(3),
        },
      },
    });
    const { child, ended } = repo.start(['run']);
    await until(() => repo.runs().length > 0 && repo.git('status', '--porcelain').includes('half.txt'));
    child.kill('SIGKILL');
    await ended;
    expect(statusesIn(repo)).toEqual(['complete 1', 'in_progress 1', 'pending 0']);
    expect(repo.git('show', 'HEAD:docs/ralph/RALPH_REPORT.md')).toContain('1 complete | 2 pending');

    writeFileSync(join(repo.outside, 'scenario.json'), JSON.stringify({ items: { 2: doesGroup(2), 3: doesGroup(3) } }));
    const again = await repo.run();
    expect(again.code).toBe(0);
    expect(verdictsIn(repo)).toEqual(['1 accepted', '2 accepted', '3 accepted']);
    expect(statusesIn(repo)).toEqual(['complete 1', 'complete 1', 'complete 1']);
    expect(repo.git('ls-tree', '--name-only', 'HEAD')).not.toContain('half.txt');
  });

  test('is done although the time ran out after it had said so', async () => {
    const repo = await withinSeconds(async seconds => {
      const made = makeGroups({
        groups: ['One'],
        config: { gates: ['true'], agent: { command: ['../outside/agent'] } },
      });
      program(
        made,
        'agent',
        `echo work > part.txt; ${NOTES}; echo 'RALPH_TASK_COMPLETE: Group 1'; touch ../outside/said; sleep 600`,
      );
      const { code } = await made.ralph(['run', '--iteration-timeout', `${seconds}s`, '--max-iterations', '1']);
      return code === 0 && existsSync(join(made.outside, 'said')) ? made : undefined;
    });
    expect(recordsOf(repo, 'agent.finished')[0]?.end.reason).toBe('timeout');
    expect(statusesIn(repo)).toEqual(['complete 1']);
  });

  test('gives the agent the model and the effort of its own front matter', async () => {
    const repo = makeGroups({
      groups: ['---\nmodel: "opus"\neffort: high # it is hard\n---\n# Group 1: One\n\nThink.\n', 'Two'],
      config: { gates: ['true'], agent: 'claude', model: 'sonnet' },
    });
    const result = `printf '{"type":"result","subtype":"success","is_error":false,"result":"RALPH_TASK_COMPLETE: Group %s"}\\n' "$RALPH_ITEM"`;
    program(
      repo,
      'claude',
      `echo "$RALPH_ITEM: $*" >> '${join(repo.outside, 'argv')}'; echo "$RALPH_ITEM" > part.txt; ${NOTES}; ${result}`,
    );
    const { code } = await repo.ralph(['run'], { env: { PATH: `${repo.outside}:${process.env['PATH'] ?? ''}` } });
    expect(code).toBe(0);
    const [one = '', two = ''] = repo.read('../outside/argv').split('\n');
    expect(one).toMatch(/^1: .*--model opus --effort high/);
    expect(two).toMatch(/^2: .*--model sonnet/);
    expect(two).not.toContain('--effort');
    expect(repo.read(`.ralph/runs/${repo.runs()[0]}/iterations/001/brief.md`)).not.toContain('model: "opus"');
  });
});
