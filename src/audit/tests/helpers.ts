/** Functions beside the tests that assert for them. */
import { once, oncePer } from '../../util/once.ts';
import type { Look } from '../look.ts';
import { allMatches } from '../matches.ts';
import { assertionsOf } from './assertions.ts';
import { closing } from './brackets.ts';
import type { Assertion } from './test-case.ts';

/** The assertions of the function with this name, wherever the changed tests define it; undefined if it is unknown. */
export function helperAssertions(
  { files }: Pick<Look, 'files'>,
  name: string,
  side: Side = 'after',
): readonly Assertion[] | undefined {
  return helpersOf[side](files).get(name)?.();
}

type Side = 'before' | 'after';
type Helpers = ReadonlyMap<string, () => readonly Assertion[]>;

const helpersOf = {
  before: oncePer((files: Look['files']) => helpersIn(files, 'before')),
  after: oncePer((files: Look['files']) => helpersIn(files, 'after')),
};

/** How a function begins, up to its name. */
const HEAD = /\b(?:function|def|func|fn|const|let|void|fun|macro_rules!)\s+(?=(?:\([^)]*\)\s*)?(\w+))/g;
/** What may precede the name. */
const RECEIVER = /(?:\([^)]*\)\s*)?/y;

/** The helpers by name; the first one counts if a name is defined twice. */
function helpersIn(files: Look['files'], side: Side): Helpers {
  const found = new Map<string, () => readonly Assertion[]>();
  for (const file of files) {
    if (file.role !== 'test' && file.role !== 'test-support') continue;
    const { code, bare } = file[side];
    for (const { 0: head, 1: name = '', index } of allMatches(bare, HEAD)) {
      if (found.has(name)) continue;
      RECEIVER.lastIndex = index + head.length;
      RECEIVER.test(bare);
      const at = RECEIVER.lastIndex + name.length;
      found.set(
        name,
        once(() => {
          const { from, to } = bodyAt(bare, at);
          return assertionsOf({ code: code.slice(from, to), bare: bare.slice(from, to), bodyLine: 1, head: '' });
        }),
      );
    }
  }
  return found;
}

/** The body of a function: after its parameters, up to a line that is indented no deeper and closes nothing. */
function bodyAt(bare: string, at: number): { readonly from: number; readonly to: number } {
  const open = bare.slice(at, at + 60).indexOf('(');
  const from = open < 0 ? at : closing(bare, at + open) + 1;
  const start = bare.lastIndexOf('\n', at) + 1;
  const indent = bare.slice(start, start + 200).search(/\S/);
  for (let end = bare.indexOf('\n', from); end >= 0; end = bare.indexOf('\n', end + 1)) {
    const line = bare.slice(end + 1, end + 200);
    const depth = line.search(/\S/);
    if (depth >= 0 && depth <= indent && !/[)\]}{]/.test(line[depth] ?? '') && !/^\s*\n/.test(line))
      return { from, to: end };
  }
  return { from, to: bare.length };
}

/** Rust macros that assert nothing. */
const QUIET =
  /^(?:e?print(?:ln)?|dbg|vec|format|format_args|write(?:ln)?|matches|concat|stringify|include_(?:str|bytes)|env|option_env|line|file|cfg|json|todo|unimplemented|thread_local|macro_rules|log|trace|debug|info|warn|error)$/;

/** Macros that a Rust test calls and that the change does not define: they may assert. */
export const unknownMacros = (look: Pick<Look, 'files'>, bare: string): readonly string[] =>
  allMatches(bare, MACRO).flatMap(([, name = '']) =>
    QUIET.test(name) || helperAssertions(look, name) !== undefined ? [] : [name],
  );

const MACRO = /(?<![\w$])([a-z_]\w*)!\s*[([{]/g;
