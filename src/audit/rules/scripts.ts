/** Named commands of a project: scripts of package.json, targets of a Makefile or justfile. */
import { fieldsOf } from '../../util/json.ts';
import type { LookFile } from '../look.ts';

export interface Script {
  readonly command: string;
  readonly line: number;
  /** For a target: the part whose failure counts, if that is not all of it. */
  readonly heard?: string;
}

export function scriptsOf(file: LookFile, side: 'before' | 'after'): ReadonlyMap<string, Script> {
  const { text } = file[side];
  if (/(^|\/)(?:package|composer|deno)\.jsonc?$/.test(file.path)) return fromJson(text);
  return file.language === 'make' ? fromMake(file[side].code) : new Map();
}

function fromJson(text: string): ReadonlyMap<string, Script> {
  try {
    const value = JSON.parse(text) as Readonly<Record<string, unknown>>;
    const husky = value['husky'] as { hooks?: unknown } | undefined;
    const hooks = {
      ...fieldsOf(value['simple-git-hooks']),
      ...fieldsOf(value['pre-commit']),
      ...fieldsOf(husky?.hooks),
    };
    const scripts = {
      ...fieldsOf(value['scripts'] ?? value['tasks']),
      ...Object.fromEntries(Object.entries(hooks).map(([name, command]) => [`hook ${name}`, command])),
    };
    const entries = Object.entries(scripts).flatMap(([label, said]) => {
      const command = Array.isArray(said) ? said.join('\n') : said;
      if (typeof command !== 'string') return [];
      const name = label.replace(/^hook /, '');
      const at = text.indexOf(`${JSON.stringify(name)}:`);
      const line = at < 0 ? 1 : text.slice(0, at).split('\n').length;
      return [[label, { command, line }] as const];
    });
    return new Map(entries);
  } catch {
    return new Map();
  }
}

function fromMake(code: string): ReadonlyMap<string, Script> {
  const found = new Map<string, Script>();
  let name = '';
  let start = 1;
  let recipe: string[] = [];
  const flush = () => {
    if (!name) return;
    const bare = (lines: readonly string[]) =>
      lines
        .map(line => line.replace(/^[@-]+/, ''))
        .join('\n')
        .trim();
    const heard = recipe.filter(line => !/^@?-/.test(line));
    const isHeard = heard.length === recipe.length;
    found.set(name, { command: bare(recipe), line: start, ...(!isHeard && { heard: bare(heard) }) });
  };
  for (const [index, line] of code.split('\n').entries()) {
    const target = /^([\w.-]+)(?:\s+[\w=]+)*\s*::?(?!=)/.exec(line);
    if (target) {
      flush();
      // Prerequisites run first.
      const needed = line.slice(line.indexOf(':') + 1).match(/[\w.-]+/g) ?? [];
      [name, start, recipe] = [
        target[1] ?? '',
        index + 1,
        target[1] === '.PHONY' ? [] : needed.map(other => `make ${other}`),
      ];
    } else if (/^[\t ]/.test(line)) recipe.push(line.trim());
  }
  flush();
  return found;
}
