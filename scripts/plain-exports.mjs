/**
 * Replaces getters by plain properties. The bundler writes a getter of eighty bytes for each exported name, because an
 * export may change its value; hardly any does.
 */
import { parseAst } from 'rolldown/parseAst';

const GETTER =
  /Object\.defineProperty\(exports,(['"`])([\w$]+)\1,\{enumerable:(?:!0|true),get:function\(\)\{return ([\w$]+)\}\}\)/g;

/** The same code, with getters only for names that are assigned again later. */
export function plainExports(code) {
  const changing = assignedIn(parseAst(code));
  return code.replace(GETTER, (getter, _quote, name, value) =>
    changing.has(value) ? getter : `exports.${name}=${value}`,
  );
}

/** Every name that is assigned anywhere, in whatever scope. */
function assignedIn(root) {
  const names = new Set();
  walk(root);
  return names;

  function walk(node) {
    if (Array.isArray(node)) for (const each of node) walk(each);
    if (typeof node?.type !== 'string') return;
    if (node.type === 'AssignmentExpression') addTargets(node.left);
    if (node.type === 'UpdateExpression') addTargets(node.argument);
    if (node.type === 'ForOfStatement' || node.type === 'ForInStatement') addTargets(node.left);
    for (const each of Object.values(node)) if (typeof each === 'object') walk(each);
  }

  function addTargets(node) {
    if (Array.isArray(node)) for (const each of node) addTargets(each);
    if (typeof node?.type !== 'string') return;
    if (node.type === 'Identifier') names.add(node.name);
    if (node.type === 'MemberExpression') return;
    for (const each of Object.values(node)) if (typeof each === 'object') addTargets(each);
  }
}
