/** Functions that look as if they worked: the work cannot be reached, is not asked for, or was never there. */
import { indentOf } from '../../util/text.ts';
import { byName, type FunctionFound, functionsIn } from '../functions.ts';
import type { Line } from '../line.ts';
import type { Look, LookFile } from '../look.ts';
import { codeOf } from '../matches.ts';
import { productionLines } from '../production-lines.ts';
import {
  firstOf,
  type Hollow,
  isCanned,
  isNull,
  isOfOthers,
  numbersOf,
  ON_PURPOSE,
  usesAny,
} from './hollow-functions.ts';

export function pretendsIn(look: Look, file: LookFile): readonly Hollow[] {
  const added = productionLines(look, file);
  if (added.length === 0) return [];
  return [...cutOff(file, added), ...switchedOff(file, added), ...judgesNothing(file, added)];
}

const FIXED = String.raw`(?:true|false|null|None|nil|undefined|True|False|-?\d[\d_.]*|"[^"]*"|'[^']*'|\[\s*\]|\{\s*\}|Ok\(\(\)\)|Ok\(true\)|Some\(\))`;
const ANSWER = new RegExp(
  String.raw`^[^\S\n]*return\b\s*(?:${FIXED}(?:\s*,\s*(?:nil|null|None|${FIXED}))*)?\s*;?\s*$`,
  'm',
);
/** An answer that was put in front of the work, which nobody gets to any more. */
function cutOff(file: LookFile, added: readonly Line[]): readonly Hollow[] {
  if (file.change.kind !== 'modified' || !ANSWER.test(codeOf(added))) return [];
  const lines = file.after.codeLines;
  const candidates = added.filter(({ code }) => ANSWER.test(code));
  if (candidates.length === 0) return [];
  const numbers = new Set(added.map(({ number }) => number));
  const functions = functionsIn(file.after, file.language);
  return candidates.flatMap(({ number, code }): readonly Hollow[] => {
    const next = lines.findIndex((text, at) => at >= number && text.trim() !== '');
    const after = lines[next] ?? '';
    // What follows in the same block, and was there before.
    if (next < 0 || numbers.has(next + 1) || indentOf(after) !== indentOf(code) || !/^\s*[\w$@(]/.test(after))
      return [];
    if (
      /^\s*(?:function|class|def|fn|func|fun|case|default|when|else|elif|elsif|rescue|ensure|except|finally|end|in|async function|public|private|protected|@|\w+:\s*$)/.test(
        after,
      )
    )
      return [];
    const own = functions.findLast(found => found.line < number && number <= found.end);
    const before = lines.slice(0, number - 1).findLast(text => text.trim() !== '') ?? '';
    const isAlone =
      indentOf(before) === indentOf(code) ||
      own?.line === lines.indexOf(before) + 1 ||
      /[{:]\s*$|^\s*(?:def|begin)\b/.test(before);
    if (!isAlone || /^\s*(?:\}?\s*else\b.*|(?:else\s+)?(?:if|for|while|unless)\b[^{]*\)?)\s*$/.test(before)) return [];
    if (
      /^\s*(?:\}\s*)?(?:else\s*)?(?:if|elif|elsif|for|while|unless|when|case|switch|match|with|try|catch|except)\b/.test(
        before,
      ) &&
      indentOf(before) < indentOf(code)
    )
      return [];
    return [
      { name: own?.name ?? code.trim(), line: number, what: 'answers before its work, which nobody gets to any more' },
    ];
  });
}

const NEVER =
  /\b(?:if|unless|while)\s*\(?\s*(?:false|False|0)\s*(?:\)|:|\{|$|&&|and\b)|(?:&&|\band)\s+(?:false|False)\b|\breturn\s+\(?(?:true|True)\s*(?:\|\||or\b)|(?:\|\||\bor)\s+(?:true|True)\s*(?:[;)]|:|$|&&)|\bif\s+false\b/m;

/** A condition that no input changes, around work that was there before. */
function switchedOff(file: LookFile, added: readonly Line[]): readonly Hollow[] {
  if (file.change.kind !== 'modified' || file.removed.length === 0 || !NEVER.test(file.after.bare)) return [];
  // It was like that already, with other words around it.
  if (file.removed.some(({ bare }) => NEVER.test(bare))) return [];
  return added
    .filter(({ bare }) => NEVER.test(bare))
    .map(({ number, code }) => ({
      name: code.trim(),
      line: number,
      what: 'holds always or never, whatever comes in',
    }));
}

/** What decides about others. */
const JUDGES =
  /^_?(?:is|has|can|may|check|validate|verify|ensure|authori[sz]e|authenticate|allow|permit|approve|vote|enforce|assert|compare|match|scan|detect|sanitize|needs|should)(?:[A-Z_]\w*|s|es)?[?!]?$/;
const STRICT =
  /valid|verif|check|allow|permi|auth|expire|grant|vote|trust|safe|sign|secur|policy|rule|limit|fraud|strength|access|revoke|role|owner|match|compare|scan|sanitize|scope/i;
/** What does something for others. */
const DOES =
  /^(?:refund|charge|pay|transfer|send|save|store|persist|delete|remove|restore|publish|sync|upload|download|notify|process|execute|apply|migrate|encrypt|decrypt|compress|decompress|revoke|export|import|backup|deploy|calculate|compute|parse|encode|decode|merge|sort|search|score|checksum|hash|convert)(?:[A-Z_]\w*)?[!]?$/i;
const CONSTANT = new RegExp(
  String.raw`^(?:return\b\s*)?(?:true|True|Ok\(\(\)\)|Ok\(true\)|nil|false|False|0|0\.0|""|''|\{\s*(?:["']?\w+["']?\s*:\s*(?:true|True|\[\s*\]|null|None|"ok"|'ok')\s*,?\s*)+\}|(?:Value)?Task\.FromResult\(true\)|Promise\.resolve\((?:true)?\))\s*;?$`,
);
const RANDOM =
  /\b(?:random\.(?:random|uniform|randint|choice|gauss)|Math\.random|rand(?:om)?\(|Random\(|mt_rand|random_int|rand\.(?:Int|Float)|ThreadLocalRandom|SecureRandom\.random)/;
const UNUSED = /^(?:let\s+)?_(?:\s*,\s*_)*\s*=\s*[\w\s,()&]+;?$/;

/** How a body begins that could be nothing but an answer. */
const ANSWERS = /^(?:return\b|\S+$|[[{"'\d])/;

/** It judges without a look at what it is given, or does what it says by saying so. */
function judgesNothing(file: LookFile, added: readonly Line[]): readonly Hollow[] {
  const now = functionsIn(file.after, file.language).filter(({ name, first = '' }) => {
    return ANSWERS.test(first) || STRICT.test(name) || RANDOM.test(first) || UNUSED.test(first);
  });
  if (now.length === 0) return [];
  const numbers = numbersOf(added);
  const old = byName(functionsIn(file.before, file.language));
  return now.flatMap((found): readonly Hollow[] => {
    const line = firstOf(found, numbers);
    if (line === undefined || found.parameters.length === 0) return [];
    const body = found.body.filter(text => !UNUSED.test(text));
    if (body.length === 0 || body.length > 4) return [];
    const own = { name: found.name, parameters: found.parameters, line: found.line, body, first: body[0] };
    const was = old.get(found.name) ?? [];
    const what =
      was.length === 0 ? newPretence(file, own) : was.length === 1 && was[0] ? oldPretence(was[0], own) : undefined;
    if (what === undefined || isNull(file, found) || isOfOthers(file, found)) return [];
    const around = file.after.lines.slice(Math.max(0, found.line - 8), found.end).join('\n');
    if (
      ON_PURPOSE.test(around) ||
      /\bnop\b|no_op|\bnull[A-Z]|\b(?:default|always|interface|hook|stub|fake|mock|every)\b|@Override|@override|\boverride\b/i.test(
        around,
      )
    )
      return [];
    return [{ name: found.name, line, what }];
  });
}

/** A function without the lines that only name what it does not use. */
type Used = Omit<FunctionFound, 'end'>;

function newPretence(file: LookFile, found: Used): string | undefined {
  const what = pretenceOf(file, found);
  return what === undefined || usesAny(found.body.join('\n'), found.parameters, String.raw`\w`) ? undefined : what;
}

/** What it would be, if it never looked at what it is given. */
function pretenceOf(file: LookFile, found: Used): string | undefined {
  const { name, body, first = '' } = found;
  if (body.length === 1 && RANDOM.test(first)) return 'answers at random, whatever it is given';
  const isDone = body.length === 1 && CONSTANT.test(first);
  // A word of its own about the work: what is there for others to override has none.
  const isSaid =
    /^\s*(?:\/\/|\/\*|\*|#|""")/.test(file.after.lines[found.line - 2] ?? '') ||
    /"""/.test(file.after.lines[found.line] ?? '');
  const judges = JUDGES.test(name) && STRICT.test(name) && !/^return\s+(?:false|False)|^(?:false|False)$/.test(first);
  if (isDone && isSaid && (judges || DOES.test(name))) return 'never looks at what it is given';
  const written = body.join('');
  return /\d\.\d|\d{3}/.test(written) && written.split(/\d\.\d/).length > 2 && isCanned(found)
    ? 'answers with made-up data and never looks at what it is given'
    : undefined;
}

const CALLS = /\w[!?]?\(|\bin\b|[<>]=?|[-+*/%]|\.\w+\?/;

function oldPretence(was: FunctionFound, found: Used): string | undefined {
  const [only = ''] = found.body;
  const did =
    was.body.some(text => CALLS.test(text)) && was.parameters.some(name => was.body.join('\n').includes(name));
  if (!did || was.body.join('\n') === found.body.join('\n')) return undefined;
  const isConstant = found.body.length === 1 && CONSTANT.test(only) && !CONSTANT.test(was.body.at(-1) ?? '');
  if (isConstant && (STRICT.test(found.name) || DOES.test(found.name) || /^to[_A-Z]|\?$/.test(found.name)))
    return 'did its work before and only answers a fixed value now';
  // Whether there is anything at all is no judgement about it.
  const last = found.body.at(-1) ?? '';
  const isLess = found.body.length < was.body.length || last.length < (was.body.at(-1) ?? '').length;
  const worked =
    (was.body.some(text => /\w[!?]?\(/.test(text)) && STRICT.test(found.name)) ||
    (was.body.some(text => /[<>]=?|[!=]==?/.test(text)) && /^(?:is|has|can)[A-Z_]/.test(found.name));
  return worked && isLess && isThere(last, found) && !isThere(was.body.at(-1) ?? '', was)
    ? 'judged what it was given before and only asks whether there is any now'
    : undefined;
}

function isThere(text: string, { body }: Used): boolean {
  if (!/^return\b|^!!/.test(text) || body.slice(0, -1).some(line => /^(?:return|if)\b.*return\b/.test(line)))
    return false;
  const rest = text
    .replace(/^return\b/, '')
    .replace(
      /\b(?:Boolean|bool|len|strlen|isset)\b|!(?!=)|\.(?:length|size|len)(?:\(\))?|\s(?:!==?|>|is not)\s*(?:null|undefined|None|nil|0|''|"")|\b(?:and|or)\b|&&|\|\|/g,
      ' ',
    );
  return (
    /^(?:\s|[()?;,]|\$?[A-Za-z_]\w*\b(?!\s*[.(]))*$/.test(rest) && /!!|Boolean|bool|&&|\band\b|[!>]=?|is not/.test(text)
  );
}
