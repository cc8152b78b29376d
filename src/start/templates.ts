import { dirname, join, relative } from 'node:path';
import { loadTemplates, type Templates } from '../brief/index.ts';
import type { RalphFolder } from '../journal/index.ts';
import { namesIn, readText } from '../util/files.ts';
import { otherKind, wrongKind } from '../util/regular.ts';
import { fail, type Result } from '../util/result.ts';

/** The built-in templates with the user's own from `.ralph/templates/` over them. */
export function readTemplates({ root, templates }: RalphFolder): Result<Templates> {
  for (const name of namesIn(templates)) {
    const file = join(templates, name);
    const found = name.endsWith('.md') ? otherKind(file, 'file', 'followed') : undefined;
    if (found !== undefined) return fail(wrongKind(relative(dirname(root), file), found, 'file'));
  }
  return loadTemplates({ read: name => readText(join(templates, `${name}.md`)), names: namesIn(templates) });
}
