/** Documents that a plan names but that do not exist: an agent would have to guess what they say. */
import { dirname, isAbsolute, join } from 'node:path';
import type { PlanFiles, Problem } from '../protocol.ts';
import { rootOf } from './ecosystems/beside.ts';
import { linesOf } from './ecosystems/lines.ts';

const LINK = /\]\((?!\w+:)([^()\s#]+\.(?:md|markdown|mdx))(?:#[^)]*)?\)/gi;
/** The line at the top of spec-kit's tasks: `**Prerequisites**: plan.md (required), research.md`. */
const PREREQUISITES = /^\*\*Prerequisites\*\*:[ \t]*(.*)$/i;
const SHOWN = 5;

interface Named {
  readonly path: string;
  readonly line: number;
  readonly required: boolean;
}

export function missingDocuments(
  text: string,
  { path, files }: { readonly path: string; readonly files: PlanFiles },
): readonly Problem[] {
  if (!text.includes('](') && !text.includes('**Prerequisites**')) return [];
  const own = dirname(path);
  const root = rootOf(path, files, own);
  const isThere = (file: string) => {
    const places = isAbsolute(file) ? [join(root, file)] : [join(own, file), join(root, file)];
    return places.some(place => files.isFolder(place) || files.read(place) !== undefined);
  };
  const missing = namedIn(text).filter(({ path: file }) => !isThere(file));
  const [needed] = missing.filter(({ required }) => required);
  const others = missing.filter(({ required }) => !required);
  return [
    ...(needed
      ? [
          problem(
            'error',
            needed,
            `it requires ${needed.path}, which does not exist; write it first, or remove its name`,
          ),
        ]
      : []),
    ...(others[0] ? [problem('warning', others[0], sentence(others))] : []),
  ];
}

const problem = (level: Problem['level'], { line }: Named, message: string): Problem => ({
  level,
  line,
  column: 1,
  message,
});

function sentence(missing: readonly Named[]): string {
  const names = [...new Map(missing.map(each => [each.path, each.line]))];
  const shown = names.slice(0, SHOWN).map(([path, line]) => `${path} (line ${line})`);
  const more = names.length > SHOWN ? `, and ${names.length - SHOWN} more` : '';
  return `it names ${names.length === 1 ? 'a document that is' : 'documents that are'} not there: ${shown.join(', ')}${more}; no brief can quote what is not there`;
}

function namedIn(text: string): readonly Named[] {
  return linesOf(text).flatMap(({ text: words, number, hidden }): readonly Named[] => {
    if (hidden !== undefined) return [];
    const links = [...words.matchAll(LINK)].map(([, file = '']) => ({
      path: decoded(file),
      line: number,
      required: false,
    }));
    const head = PREREQUISITES.exec(words)?.[1] ?? '';
    const required = [...head.matchAll(/`?([\w./-]+\.md)`?[ \t]*\(required\)/gi)];
    return [...links, ...required.map(([, file = '']) => ({ path: file, line: number, required: true }))];
  });
}

function decoded(file: string): string {
  try {
    return decodeURI(file);
  } catch {
    return file;
  }
}
