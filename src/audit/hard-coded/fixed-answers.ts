/** Branches in production code that give a fixed answer to a fixed question. */
import type { Line } from '../line.ts';
import type { LookFile } from '../look.ts';
import { linesWith } from '../matches.ts';
import { productionLines } from '../production-lines.ts';
import { literalsOf } from '../tests/assertion-text.ts';
import { isEnumeration, isLabel, isWord } from './values.ts';

export interface SpecialCase {
  readonly file: LookFile;
  readonly line: number;
  /** Literals of the question. */
  readonly asked: readonly string[];
  readonly answer: string;
  /** The function around it also computes an answer. */
  readonly computes: boolean;
  /** There is no question: the whole function is this answer. */
  readonly whole: boolean;
  /** The function's name, where it was found. */
  readonly name: string;
  /** One entry of a table. */
  readonly table?: true;
}

const STRING = String.raw`"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|${'`[^`\\n$]*`'}`;
const VALUE = String.raw`(?:${STRING}|-?\d[\d_]*(?:\.\d+)?|\[[^[\]()\n]{1,200}\]|\{[^{}()\n]{1,200}\}|vec!\[[^\]\n]{1,200}\]|List\.of\([^()\n]{1,200}\)|Some\([^()\n]{1,80}\)|Ok\([^()\n]{1,80}\))`;
const RETURN = new RegExp(
  String.raw`(?:\breturn\s+|=>\s*|\bthen\s+|\?\s*|^\s*)(${VALUE})\s*(?:\.(?:to_string|into|to_owned)\(\))?(?:,\s*(?:nil|None|null|true))?\s*[;,:]?\s*(?:\}|end)?\s*(?::.*)?$`,
);
/** How everything that is read here begins, up to the value. Comments are blank lines here, often many of them. */
const ANSWERED = /(?:\breturn\s+|=>\s*|\bthen\s+|\?\s*|^[^\S\n]*)(?=["'`\d[{-]|vec!\[|List\.of\(|Some\(|Ok\()/gm;
/** `return 3 if a == 1`, and Python's `return 3 if a == 1 else …`. */
const POSTFIX = new RegExp(String.raw`\breturn\s+(${VALUE})\s+if\s+(.+?)(?:\s+else\b.*)?$`);
const COMPARE = new RegExp(
  String.raw`(?:===?|\bis\b|\.equals\(|\.eq\(|\beql?\?|\bcase\b|\bwhen\b|\.startsWith\(|\.includes\(|\bin\b|^\s*)\s*\(?\s*(${VALUE})|(${VALUE})\s*(?:===?|\.equals\(|=>)`,
  'g',
);
const QUESTION = /\b(?:if|elif|elsif|else if|case|when|unless)\b|\?|=>|&&/;
const HEAD =
  /\b(?:function\s*\*?\s*(\w+)|def\s+(?:self\.)?(\w+[?!]?)|func\s+(?:\([^)]*\)\s*)?(\w+)|fn\s+(\w+)|(?:const|let|var)\s+(\w+)\s*=\s*(?:async\s*)?(?:function\b|\(?[\w\s,:{}=]*\)?\s*(?::[^=]*)?=>)|(?:(?:public|private|protected|static|final|async|override)\s+)+(?:[\w<>[\],.?]+\s+)?(\w+)\s*\()/;

const TRIVIAL = /^(?:-?[01]|["'`]{2}|\[\s*\]|\{\s*\}|["'`].["'`])$/;

const memo = new WeakMap<readonly Line[], readonly SpecialCase[]>();

/** All of them in what was added. Asked for before the tests are searched and after it, worked out once. */
export function specialCases(files: readonly LookFile[]): readonly SpecialCase[] {
  return files.flatMap(file => {
    const added = productionLines({ files }, file);
    if (added.length === 0) return [];
    const cases = memo.get(added) ?? casesIn(file, added);
    memo.set(added, cases);
    return cases;
  });
}

function casesIn(file: LookFile, added: readonly Line[]): readonly SpecialCase[] {
  const lines = file.after.codeLines;
  const numbers = new Set(added.map(({ number }) => number));
  const tables = [...tablesIn(file, numbers), ...mapTables(file, numbers)];
  return linesWith(added, ANSWERED)
    .flatMap(({ number, code }): readonly SpecialCase[] => {
      if (!/["'`\d]/.test(code) || code.length > 400) return [];
      const postfix = POSTFIX.exec(code);
      const answer = postfix?.[1] ?? RETURN.exec(code)?.[1];
      if (answer === undefined || TRIVIAL.test(answer)) return [];
      const head = headAbove(lines, number);
      const question = postfix?.[2] ?? questionFor(lines, number, code);
      if (question === undefined) {
        const whole = isWhole(lines, number, head, code);
        return whole
          ? [
              {
                file,
                line: number,
                asked: [],
                answer: plainLiteral(answer),
                computes: false,
                whole,
                name: head?.name ?? '',
              },
            ]
          : [];
      }
      const asked = [...question.matchAll(COMPARE)]
        .map(match => plainLiteral(match[1] ?? match[2] ?? ''))
        .filter(literal => literal !== '' && literal !== plainLiteral(answer));
      if (asked.length === 0 || isOfDomain(asked, question, lines, number)) return [];
      return [
        {
          file,
          line: number,
          asked,
          answer: plainLiteral(answer),
          computes: computesAfter(lines, number),
          whole: false,
          name: head?.name ?? '',
        },
      ];
    })
    .concat(tables);
}

/** Words compared with what has few values, all of which have a name. */
function isOfDomain(asked: readonly string[], question: string, lines: readonly string[], number: number): boolean {
  if (!asked.every(isWord)) return false;
  const compared = [...question.matchAll(/([\w.$@]+)(?:\(\))?\s*(?:===?|\.(?:equals|includes|startsWith)\()/g)];
  if (compared.length > 0) return compared.every(match => isEnumeration(match[1] ?? ''));
  const head = lines
    .slice(Math.max(0, number - 30), number)
    .findLast(line => /\b(?:switch|match)\b|^\s*(?:return\s+)?case\s+[\w.$@]+\s*$/.test(line));
  return isEnumeration(/\b(?:switch|match|case)\b\W*([\w.$@]+)/.exec(head ?? '')?.[1] ?? '');
}

const ENTRY = new RegExp(
  String.raw`(${VALUE}|\([^()\n]{1,120}\)|[A-Za-z_]\w*)\s*(?::|=>)\s*(${VALUE})\s*(?:,|$|(?=\}))`,
  'gm',
);

/** How a table begins that is nothing but entries; most brackets hold something else. */
const BEGIN = new RegExp(String.raw`[\s,]*${ENTRY.source}`, 'my');

/** Which line an offset is in; asked for in order, so that the text is gone through once. */
function lineCounter(text: string): (offset: number) => number {
  let [line, next] = [1, text.indexOf('\n')];
  return offset => {
    for (; next >= 0 && next < offset; next = text.indexOf('\n', next + 1)) line += 1;
    return line;
  };
}

/** A table of fixed answers that is asked before anything is worked out. */
function tablesIn(file: LookFile, added: ReadonlySet<number>): readonly SpecialCase[] {
  const { code } = file.after;
  const lines = file.after.codeLines;
  const lineAt = lineCounter(code);
  return [...code.matchAll(/[{]((?:[^{}()]|\([^{}()\n]{1,120}\)){5,4000})[}]/g)].flatMap(match => {
    BEGIN.lastIndex = 0;
    if (!BEGIN.test(match[1] ?? '')) return [];
    const entries = [...(match[1] ?? '').matchAll(ENTRY)];
    const rest = (match[1] ?? '').replace(ENTRY, '').replace(/[\s,]/g, '');
    if (entries.length < 2 || rest !== '') return [];
    const line = lineAt(match.index);
    if (!added.has(line + 1) && !added.has(line)) return [];
    // Words that lead to numbers or to their own labels are what tables are for.
    const isDomain = entries.every(([, key = '', value = '']) => {
      const [word, answer] = [plainLiteral(key), plainLiteral(value)];
      return isWord(word) && (/^-?[\d.]+$/.test(answer) || isLabel(word, answer));
    });
    if (isDomain) return [];
    const end = line + match[0].split('\n').length - 1;
    // A table outside of functions belongs to none.
    const name = /^\S/.test(lines[line - 1] ?? '') ? '' : (headAbove(lines, line)?.name ?? '');
    return entries.map(entry => ({
      file,
      line,
      asked: entry[1]?.startsWith('(') ? literalsOf(entry[1]) : [plainLiteral(entry[1] ?? '')],
      answer: plainLiteral(entry[2] ?? ''),
      computes: computesAfter(lines, end - 1),
      whole: false,
      name,
      table: true as const,
    }));
  });
}

/** `Map.of("10115", 745, "80331", 1290)`: questions and answers in turn. */
function mapTables(file: LookFile, added: ReadonlySet<number>): readonly SpecialCase[] {
  const { code } = file.after;
  const lineAt = lineCounter(code);
  return [
    ...code.matchAll(/\bMap\.of\(([^()]{5,2000})\)|\bnew Map\(\[((?:\s*\[[^[\]()]{1,200}\]\s*,?){2,200})\s*\]\)/g),
  ].flatMap(match => {
    const line = lineAt(match.index);
    const values = literalsOf(match[1] ?? match[2] ?? '');
    if (!added.has(line) || values.length < 4 || values.length % 2 !== 0) return [];
    return values.flatMap((value, at): readonly SpecialCase[] =>
      at % 2 === 1
        ? [
            {
              file,
              line,
              asked: [values[at - 1] ?? ''],
              answer: value,
              computes: false,
              whole: false,
              name: '',
              table: true,
            },
          ]
        : [],
    );
  });
}

/** The condition on the same line, or on one of the two lines before. */
function questionFor(lines: readonly string[], number: number, code: string): string | undefined {
  const own = code.replace(/(?:\breturn\b|=>(?=\s*["'`\d[{])|\bthen\b|\?).*$/, found =>
    found.startsWith('=>') ? '=>' : '',
  );
  if (QUESTION.test(code) && own.trim() !== '') return own;
  for (const back of [2, 3]) {
    const line = lines[number - back] ?? '';
    if (/^\s*(?:\}\s*)?(?:else\s+)?(?:if|elif|elsif|case|when)\b/.test(line)) return line;
    if (line.trim() !== '' && !/^\s*[{(]?\s*$/.test(line) && !/&&|\|\||\band\b|\bor\b/.test(line)) return undefined;
  }
  return undefined;
}

interface Head {
  readonly name: string;
  readonly at: number;
  readonly parameters: string;
}

function headAbove(lines: readonly string[], number: number): Head | undefined {
  for (let at = number - 1; at >= Math.max(0, number - 40); at--) {
    const match = HEAD.exec(lines[at] ?? '');
    if (!match) continue;
    const name = match.slice(1).find(part => part !== undefined) ?? '';
    const parameters =
      /\(\s*(?:&?(?:mut\s+)?self\s*,?\s*)?([^)]*)/.exec((lines[at] ?? '').slice(match.index))?.[1] ?? '';
    return { name, at, parameters: parameters.trim() };
  }
  return undefined;
}

/** The first and only statement of a function with parameters. */
function isWhole(lines: readonly string[], number: number, head: Head | undefined, code: string): boolean {
  if (!head || head.parameters === '' || !/\breturn\b|=>/.test(code)) return false;
  const between = lines.slice(head.at + 1, number - 1).filter(line => line.trim() !== '' && !/^\s*[{]\s*$/.test(line));
  return between.length === 0 && head.at < number;
}

/** Something after it in the same function is worked out from names. */
function computesAfter(lines: readonly string[], number: number): boolean {
  const indent = (lines[number - 1] ?? '').length - (lines[number - 1] ?? '').trimStart().length;
  for (const line of lines.slice(number, number + 40)) {
    if (line.trim() === '') continue;
    if (HEAD.test(line) && line.length - line.trimStart().length < indent) return false;
    if (
      /\breturn\b.*(?:[A-Za-z_]\w*\s*[+*/%([.-]|[A-Za-z_]\w*\s*;?$)/.test(line) ||
      /\b(?:for|while|reduce|map|sum|fold)\b/.test(line) ||
      // The last expression of a block, where the language needs no `return`.
      /^\s*[A-Za-z_][\w:.]*\(.*[a-z_]\w*[.(].*\)\s*$|^\s*[a-z_]\w*(?:\.\w+)+.*[)\w]\s*$/.test(line)
    )
      return true;
  }
  return false;
}

const plainLiteral = (literal: string): string =>
  literal
    .replace(/^(["'`])([\s\S]*)\1$/, '$2')
    .replace(/(?<=\d)_(?=\d)/g, '')
    .trim();

/** Literals worth looking for in tests; nothing else has to be searched. */
export function literalsToFind(files: readonly LookFile[]): readonly string[] {
  return [...new Set(specialCases(files).map(({ answer }) => answer))]
    .filter(literal => literal.length > 0 && literal.length < 120)
    .slice(0, 20);
}
