/** The first plan in each format: one small item that makes sense in any project, there to be replaced. */
import { groups } from '../plan/index.ts';
import type { FormatName, PlanFiles } from '../protocol.ts';
import checklistPrompt from './starters/checklist-prompt.md';
import group from './starters/group-1.md';
import notes from './starters/notes.md';
import prd from './starters/prd.json.txt';
import progress from './starters/progress.md';
import prompt from './starters/prompt.md';
import shared from './starters/shared-context.md';
import sprint from './starters/sprint.yaml.txt';

export interface Starter {
  /** What `plan:` says in ralph.yaml. */
  readonly plan: string;
  /** The files a person edits first. */
  readonly edit: readonly string[];
  /** Texts by path, relative to the root. */
  readonly files: Readonly<Record<string, string>>;
  /** What git has to ignore for this format. */
  readonly ignore: readonly string[];
}

export interface StarterFacts {
  readonly project: string;
  readonly language: string | undefined;
  readonly gates: readonly string[];
  /** Epoch milliseconds. */
  readonly at: number;
}

/** The files of a new plan in this format. */
export function starterPlan(format: FormatName, facts: StarterFacts): Starter {
  const project = facts.project;
  const fill = (text: string) => text.replaceAll('{{project}}', project);
  const quoted = (text: string) => text.replaceAll('{{project}}', JSON.stringify(project).slice(1, -1));
  switch (format) {
    case 'prd':
      return { plan: 'prd.json', edit: ['prd.json'], files: { 'prd.json': quoted(prd) }, ignore: [] };
    case 'checklist':
      return {
        plan: 'PROGRESS.md',
        edit: ['PROGRESS.md'],
        files: { 'PROGRESS.md': fill(progress), 'PROMPT.md': checklistPrompt },
        ignore: [],
      };
    case 'prompt':
      return { plan: 'PROMPT.md', edit: ['PROMPT.md'], files: { 'PROMPT.md': prompt }, ignore: [] };
    case 'sprint':
      return {
        plan: 'sprints/first',
        edit: ['sprints/first/SPRINT.yaml'],
        files: { 'sprints/first/SPRINT.yaml': sprint.replaceAll('{{project}}', JSON.stringify(project)) },
        ignore: [],
      };
    case 'groups':
      return groupsStarter(facts, fill);
  }
}

function groupsStarter({ language, gates, at }: StarterFacts, fill: (text: string) => string): Starter {
  const commands =
    gates.length > 0
      ? ['Run after every group; each must pass:', '', '```bash', ...gates, '```'].join('\n')
      : 'None yet: say here which commands prove the work.';
  const files = {
    'docs/ralph/shared-context.md': fill(shared)
      .replace('{{language}}', language ?? '…')
      // A replacement text would read `$&` and the like in a command.
      .replace('{{gates}}', () => commands),
    'docs/ralph/prompts/group-1.md': group,
    'docs/ralph/RALPH_NOTES.md': fill(notes),
  };
  return {
    plan: 'docs/ralph',
    edit: ['docs/ralph/shared-context.md', 'docs/ralph/prompts/group-1.md'],
    files: { ...files, ...firstReport(files, at) },
    ignore: ['.ralph-tasks.json', '.ralph-logs/'],
  };
}

/** The report of a plan that nobody has run yet, made by the format itself. */
function firstReport(files: Readonly<Record<string, string>>, at: number): Readonly<Record<string, string>> {
  const disk: PlanFiles = {
    read: path => files[path],
    isFolder: () => false,
    list: folder =>
      Object.keys(files).flatMap(path => (path.startsWith(`${folder}/`) ? [path.slice(folder.length + 1)] : [])),
  };
  const state = groups.create?.('.ralph-tasks.json', disk, at);
  if (!state?.ok) return {};
  const document = groups.parse(state.value, '.ralph-tasks.json', disk);
  return Object.fromEntries((document.renderings?.(at) ?? []).map(({ path, text }) => [path, text]));
}
