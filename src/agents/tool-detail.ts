import { oneLine } from '../util/show.ts';
import { type Json, recordsAt, textAt } from './json-lines.ts';

const LONGEST_QUESTION = 500;

const TELLING = [
  'question',
  'command',
  'file_path',
  'notebook_path',
  'path',
  'pattern',
  'query',
  'url',
  'skill',
  'description',
  'prompt',
];

/** What a tool call is about in one short line: its command, its file, or the first text it was given. */
export function toolDetail(input: Json | undefined): string {
  if (!input) return '';
  const asked = questionIn(input);
  if (asked !== '') return oneLine(asked, LONGEST_QUESTION);
  const named = TELLING.map(key => input[key]).find(isText);
  const value = named ?? Object.values(input).find(isText) ?? '';
  return oneLine(value.slice(0, 1000), 200);
}

/** What a tool that asks the person was given: one question, or several with their choices. */
function questionIn(input: Json): string {
  const questions = recordsAt(input, 'questions');
  return questions
    .slice(0, 4)
    .map(each => {
      const choices = recordsAt(each, 'options').map(option => textAt(option, 'label'));
      const listed = choices.filter(Boolean).slice(0, 6).join(', ');
      return [textAt(each, 'question'), listed && `(${listed})`].filter(Boolean).join(' ');
    })
    .filter(Boolean)
    .join(' ');
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
