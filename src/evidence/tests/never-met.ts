/** Conditions of skips that hold on every machine, or of tests that hold on none. */
import type { Line, Look, LookFile } from '../look.ts';
import { linesWith } from '../matches.ts';
import { subjectOf } from '../roles.ts';
import { closing } from './brackets.ts';
import { type Asked, byVersion, type Context, definitionOf, jreCondition, type Truth } from './version-conditions.ts';

/** Every line that skips by a condition has one of these. */
const MAY_SKIP = /[sS]kip|runIf|[aA]ssum(?:e|ing)|pending|EnabledIf|DisabledIf|Jre|\bif:/g;

const CALLS =
  /\b(skip_?[iI]f|skip_?[uU]nless|runIf|assumeTrue|assumeFalse|assumeThat|SkipIf|SkipUnless|XCTSkipIf|XCTSkipUnless|EnabledIf|DisabledIf)\s*\(\s*(?:condition\s*=\s*)?/;
const RUBY = /\b(?:skip|pending)\b[^\n]*?\s(if|unless)\s+(.+)$|\b(skip|if|unless):\s*(.+?)(?:\s+do|,\s*\w+:|\)?\s*$)/;
const GO = /\.Skip\w*\(|\bpytest\.skip\(|\bself\.skipTest\(|\.skip\(\s*\)|\bthis\.skip\(|\bmarkTestSkipped\(|\bskip\(/;

/** `const slowly = process.env.SLOWLY ? it : it.skip`: another word for a test, by a condition. */
const ALIAS =
  /=\s*([^=?\n][^?\n]*?)\s*\?\s*((?:it|test|describe)(?:\.skip)?)\s*:\s*((?:it|test|describe)(?:\.skip)?)\s*;?\s*$/;
const SKIPPED = /\.skip$/;

function askedOn({ after, language }: LookFile, { code, number }: Line): Asked | undefined {
  const jre = jreCondition(code);
  if (jre) return jre;
  const call = CALLS.exec(code);
  if (call) {
    // A call may need some lines.
    const text = after.codeLines
      .slice(number - 1, number + 4)
      .join('\n')
      .slice(call.index);
    const open = text.indexOf('(');
    const inside = text.slice(open + 1, closing(text, open)).replace(/^\s*condition\s*=\s*/, '');
    return { condition: firstOf(inside), does: /unless|runIf|assumeT|Enabled/i.test(call[1] ?? '') ? 'run' : 'skip' };
  }
  const ruby = RUBY.exec(code);
  if (ruby && language === 'ruby') {
    const word = ruby[1] ?? ruby[3] ?? '';
    return {
      condition: ruby[2] ?? ruby[4] ?? '',
      does: word === 'unless' ? 'run' : word === 'if' && ruby[3] !== undefined ? 'run' : 'skip',
    };
  }
  const alias = language === 'js' ? ALIAS.exec(code) : null;
  if (alias && SKIPPED.test(alias[2] ?? '') !== SKIPPED.test(alias[3] ?? ''))
    return { condition: alias[1] ?? '', does: SKIPPED.test(alias[2] ?? '') ? 'skip' : 'run' };
  if (!GO.test(code)) return undefined;
  const above = after.codeLines.slice(0, number - 1).findLast(line => line.trim() !== '') ?? '';
  const own =
    /^\s*(?:\}\s*)?if\b\s*(.+?)\s*[{:]?\s*$/.exec(above)?.[1] ??
    /^\s*if\b\s*\(?(.+?)\)?\s*(?:\{|:)?\s*(?:t|this|self|pytest)\./.exec(code)?.[1];
  return own === undefined ? undefined : { condition: own, does: 'skip' };
}

/** Up to the comma that ends it. */
function firstOf(text: string): string {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    if ('([{'.includes(text[at] ?? '_')) depth += 1;
    else if (')]}'.includes(text[at] ?? '_')) depth -= 1;
    else if (text[at] === ',' && depth === 0) return text.slice(0, at).trim();
  }
  return text.trim();
}

const not = (truth: Truth): Truth => (truth === undefined ? truth : truth === 'always' ? 'never' : 'always');

const PLATFORM =
  /(?:\bsys\.platform|\bos\.name|\bprocess\.platform|\bos\.platform\(\)|\bruntime\.GOOS|\bplatform\.system\(\)|\bRUBY_PLATFORM|\bPHP_OS(?:_FAMILY)?|\bDeno\.build\.os)\s*(===?|!==?|\bin\b|\.startswith\(|\.startsWith\(|=~)\s*([^\n]*)/;
const KNOWN =
  /linux|darwin|mac|osx|win|nt\b|cygwin|msys|mingw|aix|android|emscripten|ios|bsd|sunos|solaris|haiku|wasi|wasm|\bjs\b|plan9|dragonfly|illumos|posix|java|qnx|hpux|zos/i;

function byPlatform(condition: string): Truth {
  const [, sign = '', named = ''] = PLATFORM.exec(condition) ?? [];
  const names = [...named.matchAll(/['"/]([\w-]+)['"/]/g)].map(match => match[1] ?? '');
  if (names.length === 0 || /\b(?:and|or)\b|&&|\|\|/.test(condition)) return undefined;
  const all = [/linux/i, /darwin|mac/i, /win(?!e)|nt\b/i].every(one =>
    names.some(name => one.test(name) && !(/darwin/i.test(name) && one.source.startsWith('win'))),
  );
  if (all) return 'always';
  if (names.some(name => KNOWN.test(name))) return undefined;
  return sign.startsWith('!') ? 'always' : 'never';
}

const VARIABLE =
  /(?:\bprocess\.env(?:\.|\[\s*['"`])|\benviron(?:\.get\(|\[)\s*['"]|\b(?:os\.)?[gG]etenv\(\s*['"]|\bENV(?:\.fetch\(|\.key\?\(|\[)\s*['"]|\bDeno\.env\.get\(\s*['"]|\bBun\.env\.|['"](\w+)['"]\s+(?:not\s+)?in\s+os\.environ)(\w*)/;
/** What a test cannot do without, a kind of test that is asked for by name, or a machine. */
const NEEDED =
  /URL|URI|HOST|DSN|TOKEN|KEY|SECRET|USER|PASS|DB|DATABASE|PORT|DOCKER|REDIS|POSTGRES|MYSQL|MONGO|KAFKA|AWS|GCP|AZURE|S3|INTEGRATION|E2E|SLOW|LIVE|NETWORK|ONLINE|OFFLINE|GPU|CUDA|BENCH|PERF|LONG|STRESS|BROWSER|HEADLESS|DISPLAY|PLATFORM|OS\b|CI\b|ENV\b|ACTIONS|HOME|PATH|SHELL|LANG|TZ|VERSION|DEBUG|PROXY|ENDPOINT|ACCOUNT|CREDENTIAL|EXTERNAL|SANDBOX|SMOKE|NIGHTLY|FUZZ|SOAK|RUNNER|TERM|COLUMNS|COVERAGE|VALGRIND|ASAN|TSAN|SANITI|FULL|EXTENDED|HEAVY|LARGE|MANUAL|^ALL_|_ALL$/i;

/** A variable that nothing else names: it is set nowhere. */
function byVariable(condition: string, { look, file }: Context): Truth {
  const match = VARIABLE.exec(condition);
  const name = match?.[1] ?? match?.[2] ?? '';
  if (name === '' || NEEDED.test(name) || file.before.text.includes(name)) return undefined;
  if (look.files.some(other => other !== file && other.after.text.includes(name))) return undefined;
  if ([...(look.input.unchanged?.values() ?? [])].some(text => text.includes(name))) return undefined;
  const isMissing =
    /(?:==?=?|\bis)\s*(?:undefined|null|None|nil|['"]{2})|\.nil\?|\bnot\s+in\b|!==?\s*['"](?:1|true|yes)/.test(
      condition,
    );
  return isMissing ? 'always' : 'never';
}

/** A name that the module under test would have to have, and that nothing else speaks of. */
function byName(condition: string, { look, file }: Context): Truth {
  const [, owner = '', name = ''] =
    /^hasattr\(\s*([\w.]+)\s*,\s*['"](\w+)['"]\s*\)$/.exec(condition) ??
    /^(\w+)\.respond_to\?\(\s*:(\w+)\s*\)$/.exec(condition) ??
    /^typeof\s+(\w+)\.(\w+)\s*!==\s*['"]undefined['"]$/.exec(condition) ??
    [];
  const subject = subjectOf(file.path).replace(/[-_.]/g, '').toLowerCase();
  if (name === '' || (owner.split('.').at(-1) ?? '').replace(/_/g, '').toLowerCase() !== subject) return undefined;
  const texts = [
    ...look.files.flatMap(other => (other === file ? [other.before.text] : [other.before.text, other.after.text])),
    ...(look.input.unchanged?.values() ?? []),
  ];
  return texts.some(text => text.includes(name)) ? undefined : 'never';
}

function truthOf(text: string, context: Context, depth = 0): Truth {
  const condition = text
    .trim()
    .replace(/^\((.*)\)$/s, '$1')
    .trim();
  const negated = /^(?:!(?!=)|not\s+)\s*(.+)$/s.exec(condition)?.[1];
  if (negated !== undefined) return not(truthOf(negated, context, depth));
  if (/^(?:true|True|1|!0)$/.test(condition)) return 'always';
  if (/^(?:false|False|0|nil|None|null)$/.test(condition)) return 'never';
  const same = /^(['"]?)([\w.]+)\1\s*(===?|!==?)\s*(['"]?)([\w.]+)\4$/.exec(condition);
  if (same && (same[1] || /^\d/.test(same[2] ?? '')) && (same[4] || /^\d/.test(same[5] ?? '')))
    return (same[2] === same[5]) === same[3]?.startsWith('=') ? 'always' : 'never';
  const own = depth < 2 && /^[A-Za-z_]\w*$/.test(condition) ? definitionOf(context.file, condition) : undefined;
  if (own !== undefined) return truthOf(own, context, depth + 1);
  if (/&&|\|\||\b(?:and|or)\b/.test(condition)) return undefined;
  return (
    byVersion(condition, context) ??
    byPlatform(condition) ??
    byName(condition, context) ??
    byVariable(condition, context)
  );
}

/** New lines of a file of tests whose condition takes its tests away everywhere. */
export function neverMet(look: Look, file: LookFile): readonly Line[] {
  if (file.before.text === '') return [];
  return linesWith(file.added, MAY_SKIP).filter(line => {
    const asked = askedOn(file, line);
    const truth = asked && truthOf(asked.condition, { look, file });
    return truth === (asked?.does === 'skip' ? 'always' : 'never') && truth !== undefined;
  });
}
