/** The words of the brief: built-in `.md` files, each of which a user can replace in `.ralph/templates/`. */
import { type Failure, fail, ok, type Result } from '../util/result.ts';
import { nearest } from '../util/suggest.ts';
import { compile, type Node } from './render.ts';
import { SLOTS, type SlotName, type TemplateName, type Templates } from './slots.ts';
import about from './templates/about.md';
import claim from './templates/claim.md';
import context from './templates/context.md';
import dependencies from './templates/dependencies.md';
import documents from './templates/documents.md';
import feedback from './templates/feedback.md';
import gates from './templates/gates.md';
import instructions from './templates/instructions.md';
import item from './templates/item.md';
import lessons from './templates/lessons.md';
import position from './templates/position.md';
import progress from './templates/progress.md';
import review from './templates/review.md';
import role from './templates/role.md';
import section from './templates/section.md';
import steering from './templates/steering.md';

const NAMES: readonly TemplateName[] = [...SLOTS, 'review'];

const FOLDER = '.ralph/templates';

export const BUILT_IN: Readonly<Record<TemplateName, string>> = {
  role,
  instructions,
  about,
  context,
  steering,
  section,
  item,
  documents,
  position,
  gates,
  feedback,
  lessons,
  dependencies,
  progress,
  claim,
  review,
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
  about: ['about', 'testCommand', 'omitted'],
  context: ['files', 'omitted'],
  steering: ['notes'],
  section: ['section', 'omitted'],
  item: ['titled', 'body', 'data', 'criteria', 'verify', 'changeOptional', 'place', 'omitted'],
  documents: ['documents', 'quotes', 'omitted'],
  position: ['done', 'total', 'blocked', 'recent', 'upcoming'],
  gates: ['gates', 'ungated', 'verify', 'final', 'guards', 'omitted'],
  feedback: ['feedback', 'kept', 'unclaimed', 'carried', 'gated', 'omitted'],
  lessons: ['lessons'],
  dependencies: ['entries'],
  progress: ['entries'],
  claim: ['gated', 'lessons'],
};

const REVIEW = [
  'run',
  'id',
  'title',
  'plan',
  'line',
  'round',
  'rounds',
  'owned',
  'body',
  'criteria',
  'omitted',
  'before',
  'evidence',
  'commits',
  'files',
  'again',
] as const;

/** The placeholders a template may use. */
export const placeholdersOf = (name: TemplateName): readonly string[] =>
  name === 'review' ? REVIEW : [...EVERYWHERE, ...OWN[name]];

export interface TemplateSource {
  /** The text of the user's own template of this name, if there is one. */
  readonly read: (name: string) => string | undefined;
  /** Names found in the user's template folder, with or without `.md`; an unknown one is a failure. */
  readonly names?: readonly string[];
}

/** The built-in templates with the user's own over them. */
export function loadTemplates({ read, names = [] }: TemplateSource): Result<Templates> {
  for (const name of names.map(name => name.replace(/\.md$/, ''))) {
    if (NAMES.some(known => known === name)) continue;
    const near = nearest(name, NAMES);
    return fail<Failure>({
      reason: 'template-unknown',
      message: `there is no template "${name}"`,
      file: `${FOLDER}/${name}.md`,
      line: 1,
      column: 1,
      hint: near ? `Did you mean ${near}.md?` : `The templates are: ${NAMES.join(', ')}.`,
    });
  }
  const compiled: Partial<Record<TemplateName, readonly Node[]>> = {};
  for (const name of NAMES) {
    const template = compile({
      text: read(name) ?? BUILT_IN[name],
      file: `${FOLDER}/${name}.md`,
      known: placeholdersOf(name),
    });
    if (!template.ok) return template;
    compiled[name] = template.value;
  }
  return ok(compiled as Templates);
}
