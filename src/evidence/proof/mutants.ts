/** Small changes to new code that a test should notice. Deterministic: the same change always gives the same mutants. */
import { diffLines, type Language, type Line, type Look, type LookFile, productionLines } from '../../audit/index.ts';

export interface Mutation {
  readonly path: string;
  readonly line: number;
  /** A description of the change. */
  readonly change: string;
  /** The whole file with the mutation. */
  readonly text: string;
  readonly original: string;
  /** Mutants of the same hunk are judged together. */
  readonly hunk: string;
  readonly reverts: boolean;
}

type Swap = readonly [from: RegExp, to: string];

/** Each applies to its first match in a line, in which strings and comments are blanked. */
const COMMON: readonly Swap[] = [
  [/===/, '!=='],
  [/!==/, '==='],
  [/(?<![=!<>])==(?!=)/, '!='],
  [/!=(?!=)/, '=='],
  [/<=(?!>)/, '> '],
  [/(?<![=-])>=/, '< '],
  [/(?<=\s)<(?=\s)/, '>='],
  [/(?<=\s)>(?=\s)/, '<='],
  [/(?<=[\w)\]] )\+(?= [\w(])/, '-'],
  [/(?<=[\w)\]] )-(?= [\w(])/, '+'],
  [/(?<=[\w)\]] )\*(?= [\w(])/, '+'],
  [/(?<=[\w)\]] )\/(?= [\w(])/, '*'],
  [/&&/, '||'],
  [/\|\|/, '&&'],
  [/\btrue\b/, 'false'],
  [/\bfalse\b/, 'true'],
];
const WORDS: readonly Swap[] = [
  [/\band\b/, 'or'],
  [/\bor\b/, 'and'],
  [/\bTrue\b/, 'False'],
  [/\bFalse\b/, 'True'],
  [/\bnot (?=\w)/, ''],
];
const NUMBER = /(?<![\w.$])\d+(?![\w.])/;
const RETURNS: Readonly<Partial<Record<Language, Swap>>> = {
  js: [/(?<=\breturn )[^;\s][^;]*(?=;|$)/, 'undefined'],
  python: [/(?<=\breturn )\S.*$/, 'None'],
  ruby: [/(?<=\breturn )\S.*$/, 'nil'],
};
/** Lines that nobody tests: imports, logging, types. */
const IDLE =
  /^\s*(?:import\b|export\s+(?:\*|\{|type\b|interface\b)|from\s+\S+\s+import\b|use\s|package\b|#include|require\b|console\.|log(?:ger|ging)?\b|print(?:ln|f)?\b|fmt\.Print|interface\b|type\s+\w+\s*=|\W*$)/;
const LONGEST = 300;

export function mutations(look: Look, most: number): readonly Mutation[] {
  const hunks = look.files.flatMap(file => hunksOf(look, file));
  const rows = spread(hunks, most).map(hunk => [
    ...reverted(hunk),
    ...sorted(hunk.lines.flatMap(line => swaps(hunk, line))),
  ]);
  const chosen: Mutation[] = [];
  // One of each hunk, then a second of each, so that every part of the change is covered.
  for (let round = 0; chosen.length < most && rows.some(row => row.length > round); round++) {
    for (const row of rows) {
      const next = row[round];
      if (next && chosen.length < most) chosen.push(next);
    }
  }
  return chosen;
}

interface Hunk {
  readonly file: LookFile;
  readonly id: string;
  /** Production lines of the hunk that contain code. */
  readonly lines: readonly Line[];
  /** 0-based line ranges in the old and the new file; the ends are exclusive. */
  readonly old: readonly [from: number, to: number];
  readonly now: readonly [from: number, to: number];
}

function hunksOf(look: Look, file: LookFile): readonly Hunk[] {
  const lines = productionLines(look, file).filter(({ bare, text }) => !IDLE.test(bare) && text.length <= LONGEST);
  if (lines.length === 0) return [];
  const { added, removed } = diffLines(file.before.lines, file.after.lines);
  const [came, went] = [new Set(added), new Set(removed)];
  const hunks: Hunk[] = [];
  let [i, j] = [0, 0];
  while (j < file.after.lines.length || i < file.before.lines.length) {
    const [a, b] = [i, j];
    while (went.has(i)) i += 1;
    while (came.has(j)) j += 1;
    if (i === a && j === b) {
      i += 1;
      j += 1;
      continue;
    }
    const own = lines.filter(({ number }) => number > b && number <= j);
    if (own.length > 0) hunks.push({ file, id: `${file.path}:${b + 1}`, lines: own, old: [a, i], now: [b, j] });
  }
  return hunks;
}

/** Reverts this hunk. Not for a new file, which would only be missing. */
function reverted({ file, id, lines, old, now }: Hunk): readonly Mutation[] {
  if (file.change.kind === 'added') return [];
  const text = [
    ...file.after.lines.slice(0, now[0]),
    ...file.before.lines.slice(...old),
    ...file.after.lines.slice(now[1]),
  ];
  const line = lines[0]?.number ?? now[0] + 1;
  return [
    {
      path: file.path,
      line,
      change: 'this part of the change taken back',
      text: `${text.join('\n')}\n`,
      hunk: id,
      original: file.after.text,
      reverts: true,
    },
  ];
}

function swaps({ file, id }: Hunk, { number, text, bare }: Line): readonly Mutation[] {
  const made = (at: number, from: string, to: string): Mutation => {
    const all = [...file.after.lines];
    all[number - 1] = text.slice(0, at) + to + text.slice(at + from.length);
    const change = `\`${from.trim()}\` became \`${to.trim() || 'nothing'}\``;
    return {
      path: file.path,
      line: number,
      change,
      text: `${all.join('\n')}\n`,
      original: file.after.text,
      hunk: id,
      reverts: false,
    };
  };
  const own = RETURNS[file.language];
  const table = [
    ...COMMON,
    ...(['python', 'ruby', 'elixir'].includes(file.language) ? WORDS : []),
    ...(own ? [own] : []),
  ];
  const found = table.flatMap(([from, to]): readonly Mutation[] => {
    const match = from.exec(bare);
    // Strings are blanked in `bare`, so the replaced text is taken from the file.
    return match ? [made(match.index, text.slice(match.index, match.index + match[0].length), to)] : [];
  });
  const number_ = NUMBER.exec(bare);
  return number_ ? [...found, made(number_.index, number_[0], String(Number(number_[0]) + 1))] : found;
}

/** Picks `most` entries, evenly spread over the list. */
function spread<T>(list: readonly T[], most: number): readonly T[] {
  if (list.length <= most) return list;
  return Array.from({ length: most }, (_, n) => list[Math.floor((n * list.length) / most)]).filter(
    one => one !== undefined,
  );
}

/** Ordered by hash, so that the beginning of a file is not favoured. */
const sorted = (list: readonly Mutation[]): readonly Mutation[] =>
  list
    .map(one => ({ one, key: hash(`${one.path}:${one.line}:${one.change}`) }))
    .toSorted((a, b) => a.key - b.key)
    .map(({ one }) => one);

function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193) >>> 0;
  return value;
}
