/** Tests of JavaScript and TypeScript runners: jest, vitest, mocha, jasmine, node:test, ava, tap, Playwright, Deno. */
import { places } from '../../util/text.ts';
import type { Masked } from '../mask.ts';
import { allMatches } from '../matches.ts';
import { depthAt, hasTables, partsOf, pastSpace, tableRows } from './brackets.ts';
import { type Call, CONDITIONAL, callAt, importedCalls, WORD } from './js-calls.ts';
import { mostSkipped, normalName, type Skip, type TestCase } from './test-case.ts';

/** Offsets of the arguments of a call. */
type Parts = readonly (readonly [number, number])[];

export function jsTests({ code, bare }: Masked): readonly TestCase[] {
  const place = places(bare);
  const calls = [
    ...allMatches(bare, WORD).flatMap(match => callAt(bare, code, match) ?? []),
    ...importedCalls(bare, code),
  ].sort((a, b) => a.at - b.at);
  const containers: { from: number; to: number; name: string; skip: Skip; focus: boolean }[] = [];
  const found: { readonly call: Call; readonly parts: Parts }[] = [];
  for (const call of calls) {
    const parts = partsOf(bare, call.open, call.close);
    if (isRuntimeSkip(call, { code, bare, parts })) {
      const condition = parts[0] ? code.slice(...parts[0]).trim() : '';
      const skip: Skip = condition === '' || /^(?:true|!0|1|['"`])/.test(condition) ? 'yes' : 'conditional';
      const owner = [...calls]
        .reverse()
        .find(other => other !== call && other.open < call.at && other.close > call.close);
      if (!owner || owner.container) {
        containers.push({ from: owner?.open ?? 0, to: owner?.close ?? bare.length, name: '', skip, focus: false });
      }
      continue;
    }
    if (call.container) {
      const name = titleOf(code, parts[0]);
      const options = optionsOf(code, bare, parts);
      containers.push({
        from: call.open,
        to: call.close,
        name,
        skip: mostSkipped(skipOf(call), options.skip),
        focus: isFocused(call) || options.focus,
      });
    } else found.push({ call, parts });
  }
  // A cheap test on the whole file: what is not in the file is in none of its tests.
  const [skips, returns, tables] = [bare.search(INNER) >= 0, bare.search(RETURN) >= 0, hasTables(bare)];
  return found.map(({ call, parts }) => {
    const around =
      containers.length === 0 ? [] : containers.filter(({ from, to }) => from <= call.at && to >= call.close);
    const body = bodyOf(bare, call, parts);
    const options = optionsOf(code, bare, parts);
    const inner = skips ? innerSkip(bare, body) : 'no';
    const cut = returns ? cutAtReturn(bare, body) : neverCalled(bare, body) ? body.from : body.to;
    const nothing = parts.length < 2 && !/=>|\bfunction\b/.test(bare.slice(call.open, call.close));
    return {
      name: normalName(titleOf(code, parts[0])),
      group: around
        .map(({ name }) => name)
        .filter(Boolean)
        .join(' > '),
      line: place(call.at).line,
      skip: mostSkipped(skipOf(call), nothing ? 'todo' : 'no', options.skip, inner, ...around.map(({ skip }) => skip)),
      focus: isFocused(call) || options.focus || around.some(({ focus }) => focus),
      head: `${code.slice(call.at, body.from)}${code.slice(body.to, call.close)}`,
      code: code.slice(body.from, cut),
      bare: bare.slice(body.from, cut),
      bodyLine: place(body.from).line,
      cases: call.rows + (tables ? tableRows(bare.slice(body.from, cut)) : 0),
    };
  });
}

interface RuntimeInput extends Masked {
  readonly parts: Parts;
}

/** `test.skip()` and `test.skip(condition, why)` inside a test or a group, as in Playwright. */
function isRuntimeSkip({ modifiers, container, open, close }: Call, { code, bare, parts }: RuntimeInput): boolean {
  const last = modifiers.at(-1);
  if (container || modifiers.length !== 1 || !/^(?:skip|fixme|fail)$/.test(last ?? '')) return false;
  if (parts.length === 0) return true;
  const first = parts[0] ? code.slice(...parts[0]).trim() : '';
  if (/^['"`]/.test(first)) return false;
  const second = parts[1] ? code.slice(...parts[1]).trim() : '';
  const hasFunction = parts.length > 1 || /=>|\bfunction\b|\basync\b/.test(bare.slice(open, close));
  return !hasFunction || /^['"`]/.test(second) || parts.length === 1;
}

function skipOf({ prefix, modifiers, conditions }: Call): Skip {
  if (prefix === 'x') return 'yes';
  if (modifiers.some(name => /^(?:skip|fixme|failing|fails?|ignore|pending)$/.test(name))) return 'yes';
  if (modifiers.includes('todo')) return 'todo';
  const index = modifiers.findIndex(name => CONDITIONAL.test(name));
  if (index < 0) return 'no';
  const always =
    modifiers[index] === 'runIf' || modifiers[index] === 'if' ? /^(?:false|0|!1|!true)$/ : /^(?:true|1|!0|!false)$/;
  return conditions.some(condition => always.test(condition)) ? 'yes' : 'conditional';
}

const isFocused = ({ prefix, modifiers }: Call): boolean =>
  prefix === 'f' || modifiers.includes('only') || modifiers.includes('exclusive');

function titleOf(code: string, part: readonly [number, number] | undefined): string {
  const text = part ? code.slice(part[0], part[1]).trim() : '';
  const named = text.startsWith('{') && /^\{[\s\S]*?\bname\s*:\s*(['"`])([\s\S]*?)\1/.exec(text);
  if (named) return named[2] ?? '';
  const isQuoted = /^['"`]/.test(text) && text.length > 1 && text.at(-1) === text[0];
  return isQuoted ? text.slice(1, -1) : text;
}

/** The last argument that is a function, from its parameters on; otherwise everything after the title. */
function bodyOf(bare: string, { open, close }: Call, parts: Parts): { from: number; to: number } {
  const last = parts.findLast(([from, to]) => /=>|\bfunction\b/.test(bare.slice(from, to)));
  if (last) return { from: last[0], to: last[1] };
  return { from: parts[1] ? parts[1][0] : open + 1, to: close };
}

const NO_OPTIONS = { skip: 'no', focus: false } as const;

function optionsOf(code: string, bare: string, parts: Parts): { skip: Skip; focus: boolean } {
  const options = parts
    .filter(
      ([from, to]) =>
        bare[pastSpace(bare, from)] === '{' && !/=>|\bfunction\b/.test(bare.slice(from, to).split(/\bfn\b/)[0] ?? ''),
    )
    .map(([from, to]) => code.slice(from, to).trim())
    .join('\n');
  if (options === '') return NO_OPTIONS;
  const value = (name: string) => new RegExp(`\\b${name}\\s*:\\s*(true|false|!0|!1|['"\`]|\\w|!)`).exec(options)?.[1];
  const of = (found: string | undefined, yes: Skip): Skip => {
    if (found === undefined || found === 'false' || found === '!1') return 'no';
    return /^(?:true|!0|['"`])/.test(found) ? yes : 'conditional';
  };
  return {
    skip: mostSkipped(
      of(value('skip'), 'yes'),
      of(value('ignore'), 'yes'),
      of(value('todo'), 'todo'),
      of(value('fails'), 'yes'),
      of(value('expectFailure'), 'yes'),
    ),
    focus: value('only') === 'true',
  };
}

const INNER =
  /(?:\b(?:this|t|ctx|context|test|it|task)\s*\.\s*(?:skip|fixme|todo)|\btest\s*\.\s*fail(?=\s*\(\s*\))|\bpending|(?<![\w.])skip)\s*\(/g;

/** How a test skips itself: unconditionally, or only inside a branch. */
function innerSkip(bare: string, body: { from: number; to: number }): Skip {
  let skip: Skip = 'no';
  const text = bare.slice(body.from, body.to);
  const start = text.search(/=>|\bfunction\b/);
  for (const match of allMatches(text, INNER)) {
    if (match.index < start) continue;
    const depth = depthAt(text, start < 0 ? 0 : start, match.index);
    const before = text
      .slice(0, match.index)
      .trimEnd()
      .replace(/\b(?:return|await|void)$/, '')
      .trimEnd();
    const first = partsOf(text, match.index + match[0].length - 1)[0];
    const asked = first ? text.slice(...first).trim() : '';
    if (asked !== '' && !/^(?:true\b|1\b|!0|['"`])/.test(asked)) {
      skip = mostSkipped(skip, 'conditional');
      continue;
    }
    const guarded = /(?:\)|&&|\?|\belse)$/.test(before) && !/=>\s*$|\(\s*\)$/.test(before);
    const always = /\bif\s*\(\s*(?:true|1)\s*\)\s*\{?$/.test(before);
    skip = mostSkipped(skip, always || (depth <= 1 && !guarded) ? 'yes' : 'conditional');
  }
  return skip;
}

const RETURN = /(?<![\w$.])return\s*(?:;|\n|(?=\})|(?:done|resolve|next|t\.end)\(\s*\))/g;

const NEVER_CALLED = /^\s*(?:async\s*)?\([^()]*\)\s*=>\s*(?:async\s*)?(?:\([^()]*\)\s*=>|function\b)/;

const neverCalled = (bare: string, { from, to }: { from: number; to: number }): boolean =>
  NEVER_CALLED.test(bare.slice(from, Math.min(to, from + 200)));

/** Whether code is on the line of an `if`, or directly below one without a brace. */
function isGuarded(before: string): boolean {
  if (/(?:\)|\belse)[ \t]*$/.test(before)) return true;
  const line = before.trimEnd().split('\n').at(-1) ?? '';
  return /^\s*(?:\}\s*)?(?:else|(?:else\s+)?if|for|while)\b.*(?:\)|\belse)$/.test(line);
}

/** The end of the body: code after a bare `return` at its top level never runs. */
function cutAtReturn(bare: string, { from, to }: { from: number; to: number }): number {
  const text = bare.slice(from, to);
  const start = Math.max(0, text.search(/=>|\bfunction\b/));
  // The body only returns another function, which is never called.
  if (neverCalled(bare, { from, to })) return from;
  for (const match of allMatches(text.slice(start), RETURN)) {
    const at = start + match.index;
    const before = text.slice(0, at).trimEnd();
    if (depthAt(text, start, at) === 1 && !isGuarded(text.slice(0, at))) return from + at;
    if (depthAt(text, start, at) === 1 && /=>\s*\{?$|\(\)\s*\{$/.test(before)) return from + at;
  }
  return to;
}
