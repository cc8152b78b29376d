/** Prompts: one text that is given to an agent again and again until its promise and the gates hold. */
import { basename } from 'node:path';
import type { Plan, PlanFiles, PlanFormat, Problem } from '../protocol.ts';
import { type Failure, fail, ok } from '../util/result.ts';
import { oneLine } from '../util/show.ts';
import { placeAt } from '../util/text.ts';
import { conflictMessage, findConflict } from './conflict.ts';
import { textDocument } from './document.ts';
import { wholePlan } from './lazy-plan.ts';

/** The format of PROMPT.md, and of any other text that is not a checklist. */
export const prompt: PlanFormat = {
  name: 'prompt',
  find,
  parse: (text, path) =>
    textDocument(text, words => ({
      plan: promptPlan(words, path),
      // A prompt's file holds no state: the journal does.
      mark: () => ok(words),
      append,
    })),
};

const append = () =>
  fail<Failure>({
    reason: 'cannot-append',
    message: 'a prompt is a single item; nothing can be added to it',
    hint: 'Use a checklist or a prd.json to have more than one.',
  });

/** `PROMPT.md`, `PROMPT_build.md`, `@PROMPT.txt`: a prompt even with boxes in it. */
export const isPromptName = (name: string): boolean => /^@?prompt(?:[._-][^/]*)?\.(?:md|markdown|txt)$/i.test(name);

function find(path: string, files: PlanFiles): string | undefined {
  return /\.(?:md|markdown|txt)$/i.test(path) && !files.isFolder(path) ? path : undefined;
}

/** A plan with one repeating item, from a text; `path` may be any name if there is no file. */
export function promptPlan(text: string, path: string): Plan {
  const title = titleOf(text);
  const problems: Problem[] = [];
  const conflict = findConflict(text);
  if (title === '') problems.push({ level: 'error', line: 1, column: 1, message: 'the prompt is empty' });
  if (conflict !== undefined) problems.push({ level: 'error', ...placeAt(text, conflict), message: conflictMessage });
  const box = path === '' || isPromptName(basename(path)) ? null : BOX_ELSEWHERE.exec(text);
  if (box) {
    const message =
      'a box is only a task in a list ("- [ ] do this") outside code and quotes: this file has none and is read as one prompt';
    problems.push({ level: 'warning', ...placeAt(text, box.index), message });
  }
  const item = {
    id: 'prompt',
    title,
    status: 'pending',
    dependsOn: [],
    line: 1,
    body: text,
    criteria: [],
    verify: [],
    changeOptional: false,
  } as const;
  return wholePlan({
    format: 'prompt',
    path,
    name: title || basename(path).replace(/\.[^.]*$/, ''),
    items: title === '' ? [] : [item],
    problems,
    instructions: '',
    repeats: true,
  });
}

/** A box in a heading or a table, without a bullet, or in a list that is code or a quote. */
const BOX_ELSEWHERE = /^(?: {0,3}(?:#{1,6} |\|).*|[ \t>]*(?:(?:[-*+•]|\d{1,9}[.)])[ \t]+)?)\[[ xX]\]/m;

function titleOf(text: string): string {
  const heading = /^#{1,6}[ \t]+(\S.*)$/m.exec(text)?.[1];
  const first = text.split('\n').find(line => line.trim() !== '');
  return oneLine(heading ?? first ?? '', 72);
}
