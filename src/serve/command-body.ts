/** What a command may hold, looked at field by field; anything else is refused. */

import { isRecord, parseJson } from '../util/json.ts';
import { type Failure, fail, ok, type Result } from '../util/result.ts';
import type { CommandBody } from '../view/index.ts';

const LONGEST_TEXT = 4_000;
const LONGEST_ID = 1_000;
const MARKS = ['done', 'reset', 'skip', 'block', 'unblock'] as const;
const KNOWN = ['pause', 'resume', 'stop', 'steer', 'answer', 'retry', ...MARKS];

export function parseCommand(text: string): Result<CommandBody> {
  const fields = parseJson(text);
  if (fields === undefined) return fail(wrong('the body is not JSON'));
  if (!isRecord(fields)) return fail(wrong('the body is no object'));
  const { type } = fields;
  const allowed = new Set(['type', 'now', 'text', 'item', 'hint', 'why', 'confirm']);
  const strange = Object.keys(fields).find(key => !allowed.has(key));
  if (strange !== undefined) return fail(wrong(`there is no field ${strange.slice(0, 40)}`));
  const words = (key: string, most: number): string | undefined => {
    const field = fields[key];
    return typeof field === 'string' && field.length <= most && !field.includes('\0') ? field : undefined;
  };
  const [item, confirm, why] = [words('item', LONGEST_ID), words('confirm', 20), words('why', LONGEST_TEXT)];
  for (const key of ['confirm', 'why'] as const) {
    if (fields[key] !== undefined && words(key, LONGEST_TEXT) === undefined) return fail(wrong(`${key} is no text`));
  }
  const optional = confirm === undefined ? {} : { confirm };
  switch (type) {
    case 'pause':
    case 'resume':
      return ok({ type });
    case 'stop':
      return typeof fields.now === 'boolean'
        ? ok({ type, now: fields.now })
        : fail(wrong('stop needs now: true or false'));
    case 'steer': {
      const said = words('text', LONGEST_TEXT);
      return said?.trim() ? ok({ type, text: said, ...optional }) : fail(wrong('steer needs text'));
    }
    case 'answer': {
      const said = words('text', LONGEST_TEXT);
      if (!item || !said?.trim()) return fail(wrong('answer needs item and text'));
      return ok({ type, item, text: said, ...optional });
    }
    case 'retry': {
      const hint = words('hint', LONGEST_TEXT);
      if (!item || hint === undefined) return fail(wrong('retry needs item and hint'));
      return ok({ type, item, hint, ...optional });
    }
    default: {
      const mark = MARKS.find(each => each === type);
      if (mark === undefined) return fail(wrong(`there is no such command; there are ${KNOWN.join(', ')}`));
      if (!item) return fail(wrong(`${mark} needs item`));
      return ok({ type: mark, item, ...(why ? { why } : {}), ...optional });
    }
  }
}

const wrong = (message: string): Failure => ({ reason: 'usage', message, hint: 'What it has to hold: docs/http.md' });
