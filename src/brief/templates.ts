/** The words of the brief: built-in `.md` files, each of which a user can replace in `.ralph/templates/`. */
import { type Failure, fail, ok, type Result } from '../util/result.ts';
import { nearest } from '../util/suggest.ts';
import { compile, type Node } from './render.ts';
import { SLOTS, type SlotName } from './slots.ts';
import claim from './templates/claim.md';
import context from './templates/context.md';
import feedback from './templates/feedback.md';
import gates from './templates/gates.md';
import instructions from './templates/instructions.md';
import item from './templates/item.md';
import lessons from './templates/lessons.md';
import position from './templates/position.md';
import progress from './templates/progress.md';
import role from './templates/role.md';
import steering from './templates/steering.md';

/** One compiled template per slot. */
export type Templates = Readonly<Record<SlotName, readonly Node[]>>;

const FOLDER = '.ralph/templates';

export const BUILT_IN: Readonly<Record<SlotName, string>> = {
  role,
  instructions,
  context,
  steering,
  item,
  position,
  gates,
  feedback,
  lessons,
  progress,
  claim,
};

/** Placeholders that every template may use. */
const EVERYWHERE = [
  'run',
  'iteration',
  'attempt',
  'attempts',
  'id',
  'title',
  'plan',
  'line',
  'repeats',
  'whole',
] as const;

const OWN: Readonly<Record<SlotName, readonly string[]>> = {
  role: ['owned'],
  instructions: ['instructions', 'omitted'],
  context: ['files', 'omitted'],
  steering: ['notes'],
  item: ['body', 'criteria', 'verify', 'changeOptional', 'omitted'],
  position: ['done', 'total', 'blocked', 'recent', 'upcoming'],
  gates: ['gates', 'ungated', 'final', 'guards', 'omitted'],
  feedback: ['feedback', 'unclaimed', 'carried', 'omitted'],
  lessons: ['lessons'],
  progress: ['entries'],
  claim: [],
};

/** The placeholders a template may use. */
export const placeholdersOf = (slot: SlotName): readonly string[] => [...EVERYWHERE, ...OWN[slot]];

export interface TemplateSource {
  /** The text of the user's own template of this name, if there is one. */
  readonly read: (name: string) => string | undefined;
  /** Names found in the user's template folder, with or without `.md`; an unknown one is a failure. */
  readonly names?: readonly string[];
}

/** The built-in templates with the user's own over them. */
export function loadTemplates({ read, names = [] }: TemplateSource): Result<Templates> {
  for (const name of names.map(name => name.replace(/\.md$/, ''))) {
    if (SLOTS.some(slot => slot === name)) continue;
    const near = nearest(name, SLOTS);
    return fail<Failure>({
      reason: 'template-unknown',
      message: `there is no template "${name}"`,
      file: `${FOLDER}/${name}.md`,
      line: 1,
      column: 1,
      hint: near ? `Did you mean ${near}.md?` : `The templates are: ${SLOTS.join(', ')}.`,
    });
  }
  const compiled: Partial<Record<SlotName, readonly Node[]>> = {};
  for (const slot of SLOTS) {
    const template = compile({
      text: read(slot) ?? BUILT_IN[slot],
      file: `${FOLDER}/${slot}.md`,
      known: placeholdersOf(slot),
    });
    if (!template.ok) return template;
    compiled[slot] = template.value;
  }
  return ok(compiled as Templates);
}
