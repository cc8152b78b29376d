/** Long plans in every format that can grow, each in its own repository. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { must } from './measure.mjs';
import { itemId, story } from './project.mjs';

const SUB_PHASES = ['plan', 'implement', 'test', 'verify', 'qa'];
const range = (length, make) => Array.from({ length }, (_, index) => make(index));

/** By format: the files of a plan with this many items, and the item to mark, late in the file. */
const PLANS = {
  prd: items => ({
    files: {
      'prd.json': `${JSON.stringify({ project: 'bench', userStories: range(items, n => story(n + 1)) }, undefined, 2)}\n`,
    },
    mark: ['done', itemId(Math.floor(items * 0.9))],
    undo: ['reset', itemId(Math.floor(items * 0.9))],
  }),
  checklist: items => ({
    files: { 'PROGRESS.md': `# Bench\n\n${range(items, n => task(n + 1)).join('')}` },
    mark: ['done', itemId(Math.floor(items * 0.9))],
    undo: ['reset', itemId(Math.floor(items * 0.9))],
  }),
  sprint: items => {
    const steps = items / SUB_PHASES.length;
    const late = `development/step-${Math.floor(steps * 0.9)}/plan`;
    return {
      files: {
        'SPRINT.yaml': `sprint-id: bench\nworkflow: whole\nsteps:\n${range(steps, step).join('')}`,
        'workflows/whole.yaml': 'phases:\n  - id: development\n    for-each: step\n    workflow: each\n',
        'workflows/each.yaml': `phases:\n${SUB_PHASES.map(phase).join('')}`,
      },
      compile: true,
      mark: ['done', late],
      undo: ['reset', late],
    };
  },
  groups: items => ({
    files: {
      'docs/ralph/shared-context.md': '# Bench\n\nWhat every group has to know.\n',
      ...Object.fromEntries(range(items, n => [`docs/ralph/prompts/group-${n + 1}.md`, group(n + 1)])),
    },
    mark: ['done', String(items), '--plan', 'docs/ralph'],
    undo: ['reset', String(items), '--plan', 'docs/ralph'],
  }),
};

function task(n) {
  const { id, title, description, acceptanceCriteria } = story(n);
  const heading = n % 50 === 1 ? `\n## Part ${(n - 1) / 50 + 1}\n\n` : '';
  return `${heading}- [ ] ${id}: ${title}\n  ${description}\n${acceptanceCriteria.map(each => `  - ${each}\n`).join('')}`;
}

function step(index) {
  const { title, description } = story(index + 1);
  return `  - id: step-${index}\n    prompt: |\n      ${title}\n\n      ${description}\n`;
}

const phase = id => `  - id: ${id}\n    prompt: |\n      ${id}:\n\n      {{step.prompt}}\n`;

function group(n) {
  const { title, description } = story(n);
  return `# Group ${n}: ${title}\n\n${description}\n`;
}

/** A repository with such a plan; `mark` and `undo` are the arguments that mark an item and undo it. */
export function makePlanned(folder, { format, items, env, cli }) {
  const { files, mark, undo, compile = false } = PLANS[format](items);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  for (const args of [
    ['init', '-q', '-b', 'bench'],
    ['config', 'user.name', 'Bench'],
    ['config', 'user.email', 'bench@localhost'],
  ]) {
    must(['git', ...args], { cwd: folder, env });
  }
  if (compile) must([process.execPath, cli, 'compile', '.'], { cwd: folder, env });
  return { folder, mark, undo };
}
