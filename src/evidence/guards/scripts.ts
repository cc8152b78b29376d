/** Named commands of a project: scripts of package.json, targets of a Makefile or justfile. */
import type { LookFile } from '../look.ts';

export interface Script {
  readonly command: string;
  readonly line: number;
}

export function scriptsOf(file: LookFile, side: 'before' | 'after'): ReadonlyMap<string, Script> {
  const { text } = file[side];
  if (/(^|\/)(?:package|composer|deno)\.jsonc?$/.test(file.path)) return fromJson(text);
  return file.language === 'make' ? fromMake(file[side].code) : new Map();
}

function fromJson(text: string): ReadonlyMap<string, Script> {
  try {
    const value = JSON.parse(text) as { scripts?: unknown; tasks?: unknown };
    const scripts = value.scripts ?? value.tasks;
    if (typeof scripts !== 'object' || scripts === null) return new Map();
    const entries = Object.entries(scripts).flatMap(([name, command]) => {
      if (typeof command !== 'string') return [];
      const at = text.indexOf(`${JSON.stringify(name)}:`);
      const line = at < 0 ? 1 : text.slice(0, at).split('\n').length;
      return [[name, { command, line }] as const];
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
    if (name) found.set(name, { command: recipe.join('\n').trim(), line: start });
  };
  for (const [index, line] of code.split('\n').entries()) {
    const target = /^([\w.-]+)(?:\s+[\w=]+)*\s*::?(?!=)/.exec(line);
    if (target) {
      flush();
      // What it depends on is run first.
      const needed = line.slice(line.indexOf(':') + 1).match(/[\w.-]+/g) ?? [];
      [name, start, recipe] = [
        target[1] ?? '',
        index + 1,
        name === '.PHONY' ? [] : needed.map(other => `make ${other}`),
      ];
    } else if (/^[\t ]/.test(line)) recipe.push(line.trim().replace(/^[@-]+/, ''));
  }
  flush();
  return found;
}
