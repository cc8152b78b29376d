/** Code that can never run, blanked like a comment: `if (false) { … }`. */
import type { Language } from '../language.ts';
import type { Masked } from '../mask.ts';
import { closing } from './brackets.ts';

const NEVER = /\b(?:if|while)\s*(?:\(\s*(?:false|0|!1|!true|null)\s*\)|(?:false|False|0)(?=\s*[{:]))\s*[{:]/g;

export function withoutDead({ code, bare }: Masked, language: Language): Masked {
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

/** Where the lines that are indented deeper than the statement's own end. */
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
