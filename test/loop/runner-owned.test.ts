/** The plan and the config are the runner's: what an agent does to them is a claim at most. */
import { describe, expect, test } from 'vitest';
import { makeRepo } from '../support/repo.ts';
import { agentsIn, doneIn, planOf, play, recordsOf, runs, story, verdictsIn, works } from './scene.ts';

const WORK = 'echo work > work.txt';
const tick = { replace: { path: 'prd.json', from: '"passes": false', to: '"passes": true' } };

describe.concurrent('an agent that', () => {
  const vandals = [
    { name: 'deletes the plan', commands: ['rm prd.json'], said: /plan file was deleted/ },
    { name: 'breaks the plan', commands: ['echo "{" > prd.json'], said: /made the plan unreadable/ },
    { name: 'empties the plan', commands: [': > prd.json'], said: /made the plan unreadable/ },
    {
      name: 'fills the plan with bytes that are no text',
      commands: ["printf '\\377\\376\\000\\330' > prd.json"],
      said: /unreadable/,
    },
    {
      name: 'makes the plan a folder',
      commands: ['rm prd.json && mkdir prd.json && touch prd.json/x'],
      said: /plan file was/,
    },
    {
      name: 'makes the plan a link',
      commands: ['mv prd.json moved.json && ln -s moved.json prd.json'],
      said: undefined,
    },
    {
      name: 'rewords another story',
      commands: ["sed -i.bak 's/Story US-2/Nothing/' prd.json && rm prd.json.bak"],
      said: /renamed US-2/,
    },
    {
      name: 'removes another story',
      commands: [
        "node -e \"const fs=require('fs');const p=JSON.parse(fs.readFileSync('prd.json'));p.userStories.pop();fs.writeFileSync('prd.json',JSON.stringify(p))\"",
      ],
      said: /removed US-2/,
    },
    {
      name: 'rewords another story and adds one',
      commands: [
        "node -e \"const fs=require('fs');const p=JSON.parse(fs.readFileSync('prd.json'));p.userStories[1].title='x';p.userStories.push({id:'US-3',title:'y',passes:false});fs.writeFileSync('prd.json',JSON.stringify(p))\"",
      ],
      said: /renamed US-2 to "x", added US-3/,
    },
    { name: 'only reformats the plan', commands: ['echo >> prd.json'], said: /: edited the plan file/ },
    { name: 'edits the config', commands: ['echo \'{"gates": []}\' > ralph.json'], said: /config file was edited/ },
    { name: 'deletes the config', commands: ['rm ralph.json'], said: /config file was deleted/ },
  ];
  test.for(vandals)('$name has it put back, and the work still counts', async ({ commands, said }) => {
    const repo = makeRepo({
      plan: planOf('US-1', 'US-2'),
      config: { gates: ['true'] },
      scenario: play({ 'US-1': runs(WORK, ...commands), 'US-2': works }),
    });
    const config = repo.read('ralph.json');
    const { code, stdout } = await repo.run();
    expect(code, stdout).toBe(0);
    if (said) expect(stdout).toMatch(said);
    expect(doneIn(repo)).toEqual(['US-1', 'US-2']);
    expect(repo.plan().userStories.map(({ title }) => title)).toEqual(['Story US-1', 'Story US-2']);
    expect(repo.read('ralph.json')).toBe(config);
    expect(repo.git('status', '--porcelain')).toBe('');
    expect(agentsIn(repo)).toBe(2);
  });

  test('marks its own story has claimed it, and needs no other words', async () => {
    const repo = makeRepo({
      plan: planOf('US-1'),
      config: { gates: ['true'] },
      scenario: play({ 'US-1': { steps: [{ run: WORK }, tick], claim: 'none' } }),
    });
    const { code } = await repo.run();
    expect(code).toBe(0);
    expect(recordsOf(repo, 'agent.finished')[0]?.claim).toEqual({ type: 'done', how: 'mark' });
    expect(recordsOf(repo, 'plan.restored')).toEqual([]);
  });

  test('marks its own story without evidence has the mark taken back', async () => {
    const repo = makeRepo({
      plan: planOf('US-1'),
      config: { gates: ['! test -f work.txt'], limits: { attempts: 1 } },
      scenario: play({ 'US-1': { steps: [{ run: WORK }, tick], claim: 'none' } }),
    });
    const { code } = await repo.run();
    expect(code).toBe(3);
    expect(doneIn(repo)).toEqual([]);
  });

  test('marks another story done does not get that for it', async () => {
    const repo = makeRepo({
      plan: planOf('US-1', 'US-2'),
      config: { gates: ['true'] },
      scenario: play({ 'US-1': { steps: [{ run: WORK }, tick, tick] }, 'US-2': works }),
    });
    const { code } = await repo.run();
    expect(code).toBe(0);
    expect(recordsOf(repo, 'plan.restored')[0]?.edits).toEqual(['set US-2 from pending to done']);
    expect(verdictsIn(repo)).toEqual(['US-1 accepted', 'US-2 accepted']);
  });

  test.each(['of the config', 'of another run'])(
    'marks stories done in the plan %s does not get that for them',
    async whose => {
      const config = { gates: ['true'], ...(whose === 'of the config' ? { plan: 'prd.json' } : {}) };
      const scenario = play({ 'US-1': works, 'OTHER-1': { steps: [{ run: WORK }, tick] }, 'US-2': works });
      const repo = makeRepo({ plan: planOf('US-1', 'US-2'), config, scenario });
      repo.write('other.json', `${JSON.stringify({ project: 'Other', userStories: [story('OTHER-1')] })}\n`);
      repo.git('add', '-A');
      repo.git('commit', '-qm', 'Another plan');
      if (whose === 'of another run') expect((await repo.run(['prd.json', '--once'])).code).toBe(1);
      const open = whose === 'of another run' ? ['US-2'] : ['US-1', 'US-2'];
      // In worktrees each plan has its own branch, and this one starts where the other run is.
      const branch = whose === 'of another run' ? ['--after', 'ralph/shop'] : [];
      const { code, stdout } = await repo.ralph(['run', 'other.json', ...branch]);
      expect([code, stdout]).toEqual([
        0,
        expect.stringMatching(/restored .*marked US-\d done in prd\.json, the plan of another run/),
      ]);
      expect(repo.plan().userStories.flatMap(({ id, passes }) => (passes ? [] : [id]))).toEqual(open);
      expect(repo.git('status', '--porcelain')).toBe('');
    },
  );

  test('edits the plan of another run otherwise has that kept: to this run it is a file like any other', async () => {
    const more = ', { "id": "US-9", "title": "For later", "passes": false }\n  ]\n}';
    const repo = makeRepo({
      plan: planOf('US-1'),
      config: { gates: ['true'], plan: 'prd.json' },
      scenario: play({ 'OTHER-1': { steps: [{ replace: { path: 'prd.json', from: '\n  ]\n}', to: more } }] } }),
    });
    repo.write('other.json', `${JSON.stringify({ project: 'Other', userStories: [story('OTHER-1')] })}\n`);
    repo.git('add', '-A');
    repo.git('commit', '-qm', 'Another plan');
    expect((await repo.run(['other.json'])).code).toBe(0);
    expect(repo.plan().userStories.map(({ id }) => id)).toEqual(['US-1', 'US-9']);
    expect(recordsOf(repo, 'plan.restored')).toEqual([]);
  });

  test.each([
    ['TODO.md', '- [ ] First thing\n- [ ] Second thing\n', '[ ] First', '[x] First', 'first-thing'],
    ['later/prd.json', `${JSON.stringify(planOf('LATER-1'))}\n`, 'false', 'true', 'LATER-1'],
  ])(
    'marks an item of %s, which nobody has run: it is named in the run, the summary and the report',
    async (...row) => {
      const [path, text, from, to, id] = row;
      const repo = makeRepo({
        files: { [path]: text },
        plan: planOf('US-1', 'US-2'),
        config: { gates: ['true'] },
        scenario: play({ 'US-1': { steps: [{ run: WORK }, { replace: { path, from, to } }] }, 'US-2': works }),
      });
      const { code, stdout } = await repo.run();
      expect(code).toBe(0);
      const what = `marked ${id} done in ${path}, which is not the plan of this run`;
      expect(stdout).toContain(`guard      marks-elsewhere: ${what}`);
      expect(stdout).toContain(`marks     US-1 ${what}`);
      expect(repo.read(path)).toContain(to);
      expect((await repo.ralph(['report'])).stdout).toContain(`marks-elsewhere: ${what}`);
    },
  );

  test('adds a story has it kept and worked on', async () => {
    const more = ', { "id": "US-9", "title": "Found on the way", "passes": false }\n  ]\n}';
    const repo = makeRepo({
      plan: planOf('US-1'),
      config: { gates: ['true'] },
      scenario: play({
        'US-1': { steps: [{ run: WORK }, { replace: { path: 'prd.json', from: '\n  ]\n}', to: more } }] },
        'US-9': works,
      }),
    });
    const { code, stdout } = await repo.run();
    expect(code, stdout).toBe(0);
    expect(stdout).toContain('the plan grew by 1: US-9');
    expect(verdictsIn(repo)).toEqual(['US-1 accepted', 'US-9 accepted']);
    expect(repo.git('show', 'HEAD:prd.json')).toContain('Found on the way');
  });

  test('changes the words around the items: undone, told and kept beside; an item that it added meanwhile stays', async () => {
    const list = '# Shop\n\nUse the bank.\n\n- [ ] T-1: one\n- [ ] T-2: two\n';
    const reword = { replace: { path: 'PROGRESS.md', from: 'the bank', to: 'no gates' } };
    const repo = makeRepo({
      files: { 'PROGRESS.md': list },
      config: { gates: ['true'], plan: 'PROGRESS.md' },
      scenario: play({
        'T-1': { steps: [{ write: { path: 'one.txt', text: '1' } }, reword] },
        'T-2': {
          steps: [
            { write: { path: 'two.txt', text: '2' } },
            reword,
            { append: { path: 'PROGRESS.md', text: '- [ ] T-3: three\n' } },
          ],
        },
        'T-3': works,
      }),
    });
    const { code, stdout } = await repo.run();
    expect(code, stdout).toBe(0);
    expect(stdout.match(/changed what is the runner's: changed the plan around its items/g)).toHaveLength(2);
    expect(stdout).toContain('the plan grew by 1: T-3');
    expect(repo.read('PROGRESS.md')).toBe(`${list.replaceAll('[ ]', '[x]')}- [x] T-3: three\n`);
    expect(repo.read(`.ralph/runs/${repo.runs()[0] ?? ''}/iterations/001/plan.edited`)).toContain('no gates');
  });

  test('turns a gate off in the config is judged by the gates as they were', async () => {
    const repo = makeRepo({
      plan: planOf('US-1'),
      config: { gates: ['! test -f work.txt'], limits: { attempts: 1 } },
      scenario: play({ 'US-1': runs(WORK, "echo '{}' > ralph.json") }),
    });
    expect((await repo.run()).code).toBe(3);
    expect(verdictsIn(repo)).toEqual(['US-1 rejected']);
  });
});
