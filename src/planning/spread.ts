/**
 * A plan that was drafted and checked as one file, written out as a format that has several: groups, a sprint, or a feature of
 * spec-kit. Pure: items in, files out. Reading them back is how it is known that nothing went wrong.
 */
import type { Item } from '../protocol.ts';
import { oneLine } from '../util/show.ts';

/** Formats of more than one file. */
export const SPREAD = ['groups', 'sprint', 'speckit'] as const;
export type SpreadFormat = (typeof SPREAD)[number];

export interface Draft {
  readonly project: string;
  readonly description: string;
  readonly items: readonly Item[];
}

export interface SpreadPlan {
  /** From the top of the repository. */
  readonly files: readonly { readonly path: string; readonly text: string }[];
  /** What `ralph run` is given. */
  readonly plan: string;
}

/** `folder`: where it goes, from the top of the repository. */
export function spread(
  format: SpreadFormat,
  { draft, folder }: { readonly draft: Draft; readonly folder: string },
): SpreadPlan {
  switch (format) {
    case 'groups':
      return groupsOf(draft);
    case 'sprint':
      return sprintOf(draft, folder);
    case 'speckit':
      return featureOf(draft, folder);
  }
}

const title = (item: Item): string => oneLine(item.title, 200);
const points = (item: Item, lead: string): readonly string[] =>
  item.criteria.map(criterion => `${lead}${criterion.replace(/\s+/g, ' ')}`);

/** Words that name items of the draft, with the names they have here. */
function renamed(items: readonly Item[], nameOf: (index: number) => string): (text: string) => string {
  const names = new Map(items.map(({ id }, index) => [id, nameOf(index)]));
  const known = [...names.keys()].toSorted((a, b) => b.length - a.length).map(id => id.replace(/[^\w]/g, '\\$&'));
  const pattern = new RegExp(`(?<![\\w-])(?:${known.join('|')})(?![\\w-])`, 'g');
  return text => text.replace(pattern, id => names.get(id) ?? id);
}

/** What a reader would take for tasks, headings or fences of its own is in a quote. */
const asWords = (text: string): string =>
  /^\s*(?:#|[-*+][ \t]*\[|```|~~~|<!--|---)/m.test(text) ? text.replace(/^/gm, '> ').replace(/[ \t]+$/gm, '') : text;

function groupsOf({ project, description, items }: Draft): SpreadPlan {
  const rename = renamed(items, index => `Group ${index + 1}`);
  const prompts = items.map((item, index) => {
    const front =
      item.verify.length > 0
        ? ['---', 'verify:', ...item.verify.map(run => `  - ${JSON.stringify(run)}`), '---', '']
        : [];
    const waits = item.dependsOn.length > 0 ? ['', `It builds on ${item.dependsOn.map(rename).join(', ')}.`] : [];
    const text = [
      ...front,
      `# Group ${index + 1}: ${title(item)}`,
      '',
      rename(item.body.trim() || title(item)),
      ...waits,
      '',
      '## It is done when',
      '',
      ...points(item, '- ').map(rename),
      '',
    ].join('\n');
    return { path: `docs/ralph/prompts/group-${index + 1}.md`, text };
  });
  const shared = `# ${oneLine(project, 100)}\n\n${description.trim() || project}\n`;
  return { files: [{ path: 'docs/ralph/shared-context.md', text: shared }, ...prompts], plan: 'docs/ralph' };
}

function sprintOf({ project, description, items }: Draft, folder: string): SpreadPlan {
  const steps = items.flatMap(item => {
    const prompt = [
      title(item),
      item.body.trim(),
      ['It is done when:', ...points(item, '- ')].join('\n'),
      ...(item.verify.length > 0
        ? [['These commands show it:', ...item.verify.map(run => `- \`${run}\``)].join('\n')]
        : []),
      ...(item.dependsOn.length > 0 ? [`It builds on ${item.dependsOn.join(', ')}.`] : []),
    ].filter(Boolean);
    return [`  - id: ${JSON.stringify(item.id)}`, `    prompt: ${JSON.stringify(prompt.join('\n\n'))}`];
  });
  const text = [
    `name: ${JSON.stringify(oneLine(project, 100))}`,
    'workflow: plan-execute-verify',
    ...(description.trim() === '' ? [] : [`goal: ${JSON.stringify(description.trim())}`]),
    '',
    'steps:',
    ...steps,
    '',
  ].join('\n');
  return { files: [{ path: `${folder}/SPRINT.yaml`, text }], plan: folder };
}

const task = (index: number): string => `T${String(index + 1).padStart(3, '0')}`;

function featureOf({ project, description, items }: Draft, folder: string): SpreadPlan {
  const rename = renamed(items, task);
  const indent = (text: string) => asWords(text).replace(/^(?=.)/gm, '  ');
  const tasks = items.flatMap((item, index) => [
    `- [ ] ${task(index)} [US${index + 1}] ${title(item)}${item.dependsOn.length > 0 ? ` (depends on ${item.dependsOn.map(rename).join(', ')})` : ''}`,
    ...(item.body.trim() === '' ? [] : [indent(rename(item.body.trim()))]),
    // A box that begins with an id would be a task.
    ...points(item, '  - [ ] ').map(point => rename(point).replace(/^( +- \[ \] )(?=T\d)/, '$1that ')),
    ...item.verify.map(run => `  Shown by: \`${run}\``),
  ]);
  const stories = items.flatMap((item, index) => [
    `### User Story ${index + 1} - ${title(item)} (US${index + 1})`,
    '',
    asWords(rename(item.body.trim() || title(item))),
    '',
    '**Acceptance Scenarios**:',
    '',
    ...item.criteria.map((criterion, n) => `${n + 1}. ${rename(criterion.replace(/\s+/g, ' '))}`),
    '',
  ]);
  const name = oneLine(project, 100);
  const what = description.trim() || name;
  const file = (path: string, lines: readonly string[]) => ({
    path: `${folder}/${path}`,
    text: `${lines.join('\n')}\n`,
  });
  return {
    files: [
      file('spec.md', [
        `# Feature Specification: ${name}`,
        '',
        asWords(what),
        '',
        '## User Scenarios & Testing',
        '',
        ...stories,
      ]),
      file('plan.md', [
        `# Implementation Plan: ${name}`,
        '',
        '## Summary',
        '',
        asWords(what),
        '',
        'One commit for each task of tasks.md, in its order.',
      ]),
      file('tasks.md', [
        `# Tasks: ${name}`,
        '',
        '**Prerequisites**: plan.md (required), spec.md',
        '',
        `## Phase 1: ${name}`,
        '',
        ...tasks,
      ]),
    ],
    plan: `${folder}/tasks.md`,
  };
}
