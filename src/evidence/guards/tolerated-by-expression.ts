/** `continue-on-error` by an expression: what it says on every machine of the matrix, and where changes are judged. */
import type { LookFile } from '../look.ts';

const EXPRESSION = /:\s*['"]?\$\{\{\s*(.+?)\s*\}\}/;
const COMPARES = /^matrix\.([\w-]+)\s*(==|!=)\s*['"]?([^'"\s]+)['"]?$/;
const TRUE =
  /^(?:true|1|always\(\)|!\s*cancelled\(\)|success\(\)|!\s*false|'[^']+'|(['"]?)([\w.-]+)\1\s*==\s*(['"]?)\2\3)$/;
/** Holds for what somebody wants to merge, or for the branch that everybody builds on. */
const WHERE_IT_COUNTS =
  /^github\.event_name\s*(?:==\s*['"](?:pull_request|push|merge_group)['"]|!=\s*['"](?:schedule|workflow_dispatch|release|workflow_call|repository_dispatch)['"])$|^github\.ref(?:_name)?\s*(?:==\s*['"](?:refs\/heads\/)?(?:main|master)['"]|!=\s*['"](?!(?:refs\/heads\/)?(?:main|master)['"])[^'"]+['"])$|^!\s*startsWith\(\s*github\.ref\b/;

/** Whether a failure is let go wherever the gate counts. */
export function toleratedByExpression(file: LookFile, code: string): boolean {
  const expression = EXPRESSION.exec(code)?.[1];
  if (expression === undefined) return false;
  // One side that holds is enough.
  return expression.split('||').some(side => holds(file, side.trim()));
}

function holds(file: LookFile, side: string): boolean {
  if (TRUE.test(side) || WHERE_IT_COUNTS.test(side)) return true;
  const [, key = '', sign, value = ''] = COMPARES.exec(side) ?? [];
  const flag = /^matrix\.([\w-]+)$/.exec(side)?.[1];
  // What a single entry sets does not hold for the others.
  if (flag !== undefined) return file.after.code.includes(`${flag}: [true]`);
  const values = valuesOf(file, key);
  if (values.length === 0) return false;
  return sign === '==' ? values.every(one => one === value) : !values.includes(value);
}

/** What a key of the matrix stands for, in one line or as a list. */
function valuesOf(file: LookFile, key: string): readonly string[] {
  const lines = file.after.codeLines;
  const hasLists = lines.some(line => /^\s+[\w-]+:\s*\[/.test(line));
  return lines.flatMap((line, at) => {
    const entry = line.trim().replace(/^-\s+/, '');
    if (!entry.startsWith(`${key}:`)) return [];
    const value = entry.slice(key.length + 1).trim();
    if (value.startsWith('[')) return value.replace(/[[\]]/g, '').split(',').map(clean);
    // What one entry beside the lists says goes for that one alone.
    if (value !== '') return value.includes('$') || hasLists ? [] : [clean(value)];
    const end = lines.slice(at + 1).findIndex(next => !/^\s*-\s/.test(next));
    return lines.slice(at + 1, end < 0 ? undefined : at + 1 + end).map(next => clean(next.trim().replace(/^-\s+/, '')));
  });
}

const clean = (value: string): string => value.trim().replace(/^['"]|['"]$/g, '');
