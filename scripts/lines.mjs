/**
 * Splits minified code into lines. Node prints the whole line in which an error was thrown, and a stack trace names its
 * number: with a single line of half a megabyte, neither is of use.
 */
import { parseAst } from 'rolldown/parseAst';

/** Shorter statements share a line. */
const SHORT = 60;

/** The same code in lines that each begin with a statement or a declared name. */
export function inLines(code) {
  const starts = new Set();
  walk(parseAst(code));
  const cuts = [0];
  for (const at of [...starts].toSorted((a, b) => a - b)) if (at - cuts.at(-1) >= SHORT) cuts.push(at);
  cuts.push(code.length);
  return cuts
    .slice(1)
    .map((end, index) => code.slice(cuts[index], end))
    .join('\n');

  function walk(node) {
    if (Array.isArray(node)) for (const each of node) walk(each);
    if (typeof node?.type !== 'string') return;
    // White space between statements, and before a declared name, has no meaning.
    const inList = node.type === 'VariableDeclaration' ? node.declarations.slice(1) : [];
    for (const { start } of [...(Array.isArray(node.body) ? node.body : []), ...inList]) starts.add(start);
    for (const each of Object.values(node)) if (typeof each === 'object') walk(each);
  }
}
