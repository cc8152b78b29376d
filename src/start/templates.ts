import { join } from 'node:path';
import { loadTemplates, type Templates } from '../brief/templates.ts';
import type { RalphFolder } from '../journal/runs.ts';
import { namesIn, readText } from '../util/files.ts';
import type { Result } from '../util/result.ts';

/** The built-in templates with the user's own from `.ralph/templates/` over them. */
export function readTemplates({ templates }: RalphFolder): Result<Templates> {
  return loadTemplates({ read: name => readText(join(templates, `${name}.md`)), names: namesIn(templates) });
}
