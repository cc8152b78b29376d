/** The brief of a planning session: what to plan, for which format, and what a good plan is. */
import {
  bullet,
  code,
  command,
  compile,
  criterion,
  opening,
  paragraphs,
  render,
  untrusted,
  untrustedLine,
} from '../brief/index.ts';
import type { Gate, GuardRules } from '../protocol.ts';
import { plural } from '../util/show.ts';
import template from './planning.md';

/** Formats a plan can be written in. */
export type PlanTarget = 'prd' | 'checklist';

/** What a person wrote down beforehand. */
export interface Notes {
  readonly path: string;
  readonly text: string;
}

export interface PlanningBriefInput {
  readonly goal: string;
  readonly notes?: Notes;
  /** Relative to the repository. */
  readonly plan: string;
  readonly format: PlanTarget;
  readonly gates: readonly Gate[];
  readonly final: readonly Gate[];
  readonly rules: Pick<GuardRules, 'files' | 'lines'>;
  /** Files that every later brief holds. */
  readonly context: readonly string[];
  /** An older plan is in the file. */
  readonly replaces: boolean;
  /** What was wrong with the last round's plan. */
  readonly problems: readonly string[];
}

const KNOWN = [
  'plan',
  'problems',
  'goal',
  'notes',
  'notesPath',
  'unread',
  'replaces',
  'context',
  'gates',
  'ungated',
  'final',
  'limits',
  'prd',
  'checklist',
];

/** Longer notes are read by the agent itself, from their file. */
const NOTES_BYTES = 48 * 1024;
const PROBLEMS = 40;

const flag = (on: boolean): string => (on ? 'yes' : '');
const listed = (entries: readonly string[]): string => entries.map(bullet).join('\n');

/** Pure: the same input gives the same text. */
export function planningBrief(input: PlanningBriefInput): string {
  const compiled = compile({ text: template, file: 'planning.md', known: KNOWN });
  // The template is ours and has no user's edits in it: this cannot fail without failing every test.
  if (!compiled.ok) throw new Error(compiled.error.message);
  const { goal, notes, gates, final, problems, rules } = input;
  const text = notes ? untrusted(notes.text) : '';
  const shown = opening(paragraphs(text), NOTES_BYTES) ?? '';
  const limits = [
    rules.files > 0 ? plural(rules.files, 'file') : '',
    rules.lines > 0 ? plural(rules.lines, 'line') : '',
  ];
  const values = {
    plan: untrustedLine(input.plan, 200),
    problems: listed(problemsShown(problems)),
    goal: untrusted(goal),
    notes: notes ? `<file path="${untrustedLine(notes.path, 300)}">\n${shown}\n</file>` : '',
    notesPath: untrustedLine(notes?.path ?? '', 300),
    unread: flag(shown.length < text.length),
    replaces: flag(input.replaces && problems.length === 0),
    context: input.context.map(path => code(untrustedLine(path, 100))).join(', '),
    gates: listed(gates.map(gateLine)),
    ungated: flag(gates.length === 0),
    final: listed(final.map(gateLine)),
    limits: limits.filter(Boolean).join(' or '),
    prd: flag(input.format === 'prd'),
    checklist: flag(input.format === 'checklist'),
  };
  return `${render(compiled.value, values).replace(/\n{3,}/g, '\n\n')}\n`;
}

function problemsShown(problems: readonly string[]): readonly string[] {
  const shown = problems.slice(0, PROBLEMS).map(criterion);
  return problems.length > PROBLEMS ? [...shown, `and ${problems.length - PROBLEMS} more like these`] : shown;
}

const gateLine = ({ name, run }: Gate): string =>
  name.trim() === run.trim() ? command(run) : `${untrustedLine(name, 60)}: ${command(run)}`;
