/** Tests that are written down and that no runner takes up: by the class, the function or the branch they stand in. */
import { escaped, indentOf } from '../../util/text.ts';
import type { LookFile, Side } from '../look.ts';
import { linesWith } from '../matches.ts';
import type { TestCase } from './test-case.ts';

/** Why no runner takes it up, or nothing. */
export function uncollected(file: LookFile, side: 'before' | 'after', test: TestCase): string | undefined {
  const text = file[side];
  switch (file.language) {
    case 'python':
      return inPython(text, test) ?? inBranch(text, test);
    case 'ruby':
      return inRuby(text, test) ?? inBranch(text, test);
    case 'js':
      return inJs(text, test) ?? inBranch(text, test);
    default:
      return undefined;
  }
}

interface Head {
  readonly text: string;
  readonly at: number;
}

const around = new WeakMap<Side, ReadonlyMap<number, readonly Head[]>>();

/** The lines that the blocks around a test begin with, innermost first; worked out for all tests of a file at once. */
function headsAround(side: Side, { line }: TestCase): readonly Head[] {
  // Nothing stands around what begins its line.
  if (indentOf(side.codeLines[line - 1] ?? '') === 0) return [];
  let known = around.get(side);
  if (!known) {
    known = headsOfTests(side);
    around.set(side, known);
  }
  return known.get(line) ?? [];
}

function headsOfTests({ codeLines, tests }: Side): ReadonlyMap<number, readonly Head[]> {
  const wanted = new Set(tests.map(({ line }) => line));
  const found = new Map<number, readonly Head[]>();
  const open: { readonly indent: number; readonly head: Head }[] = [];
  for (const [at, text] of codeLines.entries()) {
    const indent = indentOf(text);
    if (indent === text.length) continue;
    while (open.length > 0 && (open.at(-1)?.indent ?? 0) >= indent) open.pop();
    if (wanted.has(at + 1)) found.set(at + 1, open.map(({ head }) => head).reverse());
    if (!')]}@'.includes(text[indent] ?? '')) open.push({ indent, head: { text, at } });
  }
  return found;
}

function inPython(side: Side, test: TestCase): string | undefined {
  if (/^[^\S\n]*@(?:pytest\.)?fixture\b/m.test(test.head)) return 'is a fixture';
  if (/^[^\S\n]*yield\b/m.test(test.bare) && !/^[^\S\n]*(?:async\s+)?def\b|contextmanager/m.test(test.bare))
    return 'is a generator, whose body never runs';
  const name = test.group.split(' > ').at(-1) ?? '';
  if (name === '') return undefined;
  const known = classes.get(side) ?? new Map<string, string | undefined>();
  classes.set(side, known);
  if (!known.has(name)) known.set(name, ofClass(side, name));
  return known.get(name);
}

const classes = new WeakMap<Side, Map<string, string | undefined>>();

function ofClass(side: Side, name: string): string | undefined {
  const head = new RegExp(`^([ \\t]*)class\\s+${escaped(name)}\\b\\s*(?:\\(([^)]*)\\))?\\s*:`, 'm').exec(side.bare);
  if (!head || (head[2] ?? '').replace(/\b(?:object|ABC|abc\.ABC|Generic\[\w+\])\b|[\s,]/g, '') !== '')
    return undefined;
  if (new RegExp(`\\bclass\\s+\\w+\\s*\\([^)]*\\b${escaped(name)}\\b`).test(side.bare)) return undefined;
  if (!/^Test/.test(name)) return `stands in ${name}, which is no class of tests`;
  const body = side.bare.slice(head.index).split(/\n(?=\S)/)[0] ?? '';
  return /^[^\S\n]+def\s+__init__\s*\(/m.test(body) ? `stands in ${name}, which no runner can make` : undefined;
}

/** Private, or undefined again. */
function isTakenAway({ bare, codeLines }: Side, { name, line }: TestCase): boolean {
  const own = escaped(name);
  if (new RegExp(`\\b(?:undef_method|remove_method|private)\\s*\\(?\\s*:${own}\\b|\\bundef\\s+:?${own}\\b`).test(bare))
    return true;
  const indent = indentOf(codeLines[line - 1] ?? '');
  for (let at = line - 2; at >= 0; at--) {
    const text = codeLines[at] ?? '';
    if (text.trim() === '' || indentOf(text) > indent) continue;
    if (indentOf(text) < indent || /^\s*public\s*$/.test(text)) return false;
    if (/^\s*(?:private|protected)\s*$/.test(text)) return true;
  }
  return false;
}

function inRuby(side: Side, test: TestCase): string | undefined {
  const { bare, code } = side;
  if (/^test_\w+$/.test(test.name)) {
    if (/\b(?:undef|undef_method|remove_method|private|protected)\b/.test(bare) && isTakenAway(side, test))
      return 'is taken away again';
    const head = headsAround(side, test)[0]?.text ?? '';
    if (/^\s*class\s+\w+\s*$/.test(head) && !/Minitest|Test::Unit|include\s/.test(bare))
      return 'stands in a class without tests';
  }
  const shared = headsAround(side, test)
    .map(({ text }) => /^\s*(?:RSpec\.)?shared_(?:examples|examples_for|context)\b[ (]+(['"])(.+?)\1/.exec(text)?.[2])
    .find(name => name !== undefined);
  if (shared === undefined) return undefined;
  const used = new RegExp(
    `\\b(?:it_behaves_like|it_should_behave_like|include_examples|include_context)[ (]+['"]${escaped(shared)}['"]`,
  );
  return used.test(code) ? undefined : 'stands among shared examples that nobody includes';
}

const usesOf = ({ bare }: Side, name: string): number =>
  bare.match(new RegExp(`(?<![\\w$])${escaped(name)}\\b`, 'g'))?.length ?? 0;

function inJs(side: Side, test: TestCase): string | undefined {
  const line = side.codeLines[test.line - 1] ?? '';
  if (/(?:^|[\s(;])(?:false|0|null|undefined|!1|!true)\s*&&\s*(?:it|test|describe|suite|context)\b/.test(line))
    return 'stands behind a false';
  const kept =
    /^\s*(?:const|let|var)\s+(\w+)\s*=\s*(?:async\s*)?(?:\([^)]*\)|\w+)\s*=>\s*\{?\s*(?:it|test|describe)\b/.exec(
      line,
    )?.[1];
  if (kept !== undefined && usesOf(side, kept) <= 1) return `stands in ${kept}, which nobody calls`;
  for (const { text, at } of headsAround(side, test)) {
    const name =
      /^\s*(?:async\s+)?function\s+(\w+)\s*\(/.exec(text)?.[1] ??
      /^\s*(?:const|let|var)\s+(\w+)\s*=\s*(?:async\s*)?(?:\([^)]*\)|\w+)\s*=>\s*\{\s*$/.exec(text)?.[1];
    if (name === undefined) continue;
    if (usesOf(side, name) <= 1) return `stands in ${name}, which nobody calls`;
    if (at === 0) break;
  }
  return undefined;
}

const VARIABLE =
  /(?:process\.env\.|process\.env\[\s*['"]|environ(?:\.get)?[[(]\s*['"]|getenv\(\s*['"]|ENV(?:\.fetch|\.key\?)?[[(]\s*['"])(\w+)/;
/** What has to be there for the test to work, or a kind of test that is asked for by name. */
const NEEDED =
  /URL|URI|HOST|DSN|TOKEN|KEY|SECRET|USER|PASS|DB|DATABASE|PORT|DOCKER|REDIS|INTEGRATION|E2E|SLOW|LIVE|NETWORK|ONLINE|GPU|BENCH|PERF|LONG|BROWSER|PLATFORM|OS\b|CI\b|NODE_ENV|ACTIONS/i;

/** `if False:`, `if (process.env.RUN_EDGES) {`, `unless ENV['X']` around a test. */
function inBranch(side: Side, test: TestCase): string | undefined {
  for (const { text } of headsAround(side, test)) {
    const [, word = '', condition = ''] = /^\s*(if|unless)\b\s*(.+?)\s*[{:]?\s*$/.exec(text) ?? [];
    if (word === '') continue;
    const bare = condition.replace(/^\((.*)\)$/, '$1').trim();
    if (word === 'if' ? /^(?:false|False|0|nil|null|None)$/.test(bare) : bare === 'true')
      return `stands in ${text.trim()}`;
    const variable = VARIABLE.exec(bare)?.[1];
    if (variable !== undefined && !NEEDED.test(variable) && !/^!|^not\b/.test(bare) && word === 'if')
      return `runs only with ${variable}, which nothing sets`;
  }
  return undefined;
}

const MAY_SHADOW = /\b(?:it|test|describe|context|specify|suite)\s*[=(]/g;
const SHADOW =
  /^\s*(?:export\s+)?(?:(?:const|let|var)\s+(?:it|test|describe|context|specify|suite)\s*=\s*(?:[\w.]*\.(?:skip|todo)\b|(?:async\s*)?(?:\([^)]*\)|\w+)\s*(?::\s*\w+\s*)?=>\s*(?:\{\s*\}|undefined|null|void 0)|function\s*\([^)]*\)\s*\{\s*\}|noop\b)|function\s+(?:it|test|describe)\s*\([^)]*\)\s*\{\s*\})/;

/** Lines that are new and give the word for a test another meaning: one that runs nothing. */
export const shadowedWords = (file: LookFile): LookFile['added'] =>
  file.language === 'js' ? linesWith(file.added, MAY_SHADOW).filter(({ code }) => SHADOW.test(code)) : [];
