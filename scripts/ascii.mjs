/**
 * Code with ASCII characters only. If a text contains a single other character, V8 stores it with two bytes per character,
 * and node decodes it more slowly.
 */
import { parseAst } from 'rolldown/parseAst';

const BEYOND = /[^\0-\x7f]/g;

/** The same code with escapes in strings and regular expressions; text under `String.raw` stays as it is. */
export function ascii(code) {
  const places = [];
  walk(parseAst(code));
  let out = '';
  let at = 0;
  for (const [start, end] of places.toSorted((a, b) => a[0] - b[0])) {
    out += code.slice(at, start) + code.slice(start, end).replace(BEYOND, escape);
    at = end;
  }
  return out + code.slice(at);

  function walk(node) {
    if (Array.isArray(node)) for (const each of node) walk(each);
    if (typeof node?.type !== 'string') return;
    if (node.type === 'TaggedTemplateExpression') {
      walk(node.tag);
      walk(node.quasi.expressions);
      return;
    }
    // A group name beyond ASCII in a regular expression could not be escaped; there is none.
    if (node.type === 'Literal' || node.type === 'TemplateElement') places.push([node.start, node.end]);
    else for (const each of Object.values(node)) if (typeof each === 'object') walk(each);
  }
}

const escape = character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
