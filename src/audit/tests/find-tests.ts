/** Finds the tests of one file. */
import { hasBraces, type Language } from '../language.ts';
import type { Masked } from '../mask.ts';
import { isCollected, type Role } from '../roles.ts';
import { braceTests } from './braces.ts';
import { closing } from './brackets.ts';
import { jsTests } from './js.ts';
import { pythonTests } from './python.ts';
import { rubyTests } from './ruby.ts';
import type { TestCase } from './test-case.ts';

export function readTests(
  source: Masked,
  file: { readonly path: string; readonly role: Role; readonly language: Language },
): readonly TestCase[] {
  const { role, language } = file;
  if (role !== 'test' && role !== 'test-support' && language !== 'rust') return [];
  if (!isCollected(file.path)) return [];
  if (language === 'js') return jsTests(withoutDead(source, language));
  if (language === 'python') return pythonTests(withoutDead(source, language));
  if (language === 'ruby' || language === 'elixir') return rubyTests(source, language);
  return hasBraces(language) ? braceTests(withoutDead(source, language), language) : [];
}

/** Code that can never run, blanked like a comment: `if (false) { … }`. */
const NEVER = /\b(?:if|while)\s*(?:\(\s*(?:false|0|!1|!true|null)\s*\)|(?:false|False|0)(?=\s*[{:]))\s*[{:]/g;

function withoutDead({ code, bare }: Masked, language: Language): Masked {
  const found = [...bare.matchAll(NEVER)];
  if (found.length === 0) return { code, bare };
  const spans = found.map(match => {
    const open = match.index + match[0].length - 1;
    return [open + 1, language === 'python' ? endOfIndent(bare, match.index) : closing(bare, open)] as const;
  });
  const blank = (text: string) =>
    spans.reduce(
      (rest, [from, to]) => rest.slice(0, from) + rest.slice(from, to).replace(/[^\n]/g, ' ') + rest.slice(to),
      text,
    );
  return { code: blank(code), bare: blank(bare) };
}

/** The end of the lines that are indented deeper than the statement. */
function endOfIndent(bare: string, at: number): number {
  const start = bare.lastIndexOf('\n', at) + 1;
  const indent = bare.slice(start).search(/\S/);
  let end = bare.indexOf('\n', at);
  while (end >= 0) {
    const next = bare.indexOf('\n', end + 1);
    const line = bare.slice(end + 1, next < 0 ? bare.length : next);
    if (line.trim() !== '' && line.search(/\S/) <= indent) return end;
    if (next < 0) return bare.length;
    end = next;
  }
  return bare.length;
}
