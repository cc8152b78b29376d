/** Sprints in memory: files by path, and short words for what a PROGRESS.yaml holds. */
import { dirname, join } from 'node:path';
import { parse } from 'yaml';
import { compileFolder, sprint } from '../../src/plan/sprint.ts';
import type { Plan, PlanFiles } from '../../src/protocol.ts';
import type { Failure } from '../../src/util/result.ts';
import { texts } from '../plan/texts.ts';

const FOLDER = '/repo/sprints/login';
export const AT = Date.parse('2026-01-16T10:00:00.000Z');

export function filesOf(texts: Readonly<Record<string, string>>): PlanFiles {
  const paths = Object.keys(texts);
  const names = (folder: string) =>
    new Set(
      paths
        .filter(path => path.startsWith(`${folder}/`))
        .map(path => path.slice(folder.length + 1).split('/')[0] ?? ''),
    );
  return {
    read: path => texts[path],
    isFolder: path => names(path).size > 0,
    list: path => [...names(path)],
  };
}

/** A sprint and workflows, by name, of the repository around it. */
function filesFor(sprintText: string, workflows: Readonly<Record<string, string>> = {}): PlanFiles {
  return filesOf({
    '/repo/.git/HEAD': '',
    [join(FOLDER, 'SPRINT.yaml')]: sprintText,
    ...Object.fromEntries(
      Object.entries(workflows).map(([name, text]) => [`/repo/.claude/workflows/${name}.yaml`, text]),
    ),
  });
}

export const compiledWith = (sprintText: string, workflows: Readonly<Record<string, string>> = {}) =>
  compileFolder(join(FOLDER, 'PROGRESS.yaml'), filesFor(sprintText, workflows), AT);

export function compiled(sprintText: string, workflows: Readonly<Record<string, string>> = {}): Progress {
  const result = compiledWith(sprintText, workflows);
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return parse(result.value.text) as Progress;
}

/** The failure of a compilation, its file without the way to it. */
export function mistake(sprintText: string, workflows: Readonly<Record<string, string>> = {}): Failure {
  const result = compiledWith(sprintText, workflows);
  if (result.ok) throw new Error(`compiled:\n${result.value.text}`);
  const { file = '', ...rest } = result.error;
  return { ...rest, file: file.slice(dirname(file).length + 1) };
}

export interface Phase {
  readonly id: string;
  readonly prompt?: string;
  readonly steps?: readonly { readonly id: string; readonly prompt: string; readonly phases: readonly Phase[] }[];
  readonly [extra: string]: unknown;
}

export interface Progress {
  readonly phases: readonly Phase[];
  readonly [extra: string]: unknown;
}

/** `prepare; development[step-0(plan build)]` */
export const shapeOf = ({ phases }: Progress): string =>
  phases
    .map(({ id, steps }) =>
      steps ? `${id}[${steps.map(step => `${step.id}(${step.phases.map(sub => sub.id).join(' ')})`).join(', ')}]` : id,
    )
    .join('; ');

export const planOf = (text: string, files: PlanFiles = filesOf({})): Plan =>
  texts(sprint).parse(text, join(FOLDER, 'PROGRESS.yaml'), files);

/** A PROGRESS.yaml as people leave them: comments, odd quotes, flow and block mixed. */
export const PROGRESS = `# A sprint
sprint-id: 2026-01-16_login   # with a comment
status: in-progress
phases:
  # first of all
  - id: prepare
    status: completed
    prompt: Look around
    completed-at: "2026-01-16T09:00:00Z"
  - id: development
    status: in-progress # half way
    steps:
      - id: step-0
        prompt: |
          # Log in

          With a password.
        status: in-progress
        phases:
          - id: implement
            status: completed
            prompt: |
              Implement this:

              # Log in

              With a password.
          - id: qa
            status: pending
            prompt: Check it
            model: haiku
      - {id: step-1, prompt: Log out, status: pending, phases: [{id: implement, status: pending, prompt: Do it}]}
      - id: step-2
        prompt: Forget
        status: pending
  - id: summary
    status: pending
    prompt: >
      Write a
      summary
current: # where we are
  phase: 1
  step: 0
  sub-phase: 1
stats:
  started-at: null
  total-phases: 6
  completed-phases: 2
  total-steps: 3
  completed-steps: 0
# the end
`;
