/** Budgets: how large, slow or poor something may become before a check fails. */
import { settingsOf } from '../config-values.ts';
import { isCode } from '../language.ts';
import type { Look, LookFile } from '../look.ts';
import { type Found, quote } from './rule.ts';

interface Limit {
  readonly id: string;
  /** As written, and in one unit. */
  readonly text: string;
  readonly value: number;
  readonly looser: 'lower' | 'higher';
}

const BUDGET_FILE =
  /budget|size-?limit|bundle-?(?:size|watch|mon)|lighthouse|perf|bench|(?:^|[/.-])k6|load[-_]?tests?|stress|artillery|(?:coverage|quality|lint)[-_]?(?:thresholds?|baseline|ratchet)|\bangular\.json$|\bproject\.json$|webpack|(?:^|\/)package\.json$/i;
/** Code counts where measuring is all that its folder or its name is about. */
const BUDGET_CODE =
  /(?:^|\/)(?:bench(?:marks?)?|perf|load[-_]?tests?|k6|stress)\/|(?:^|[/._-])(?:(?:perf|size|bundle|bench)[-_.]?budgets?|k6|bench|size-limit|bundlewatch|lighthouserc|webpack)[^/]*$/i;
/** In files that hold other things too, only what stands under such a name. */
const SECTION = /budgets?|bundlesize|bundlewatch|size-?limit|performance|thresholds?|limits/i;

/** A little more is how projects grow; this much more is no limit. */
const GROWTH = 1.25;
const POORER = 0.95;

export function looserBudgets(look: Look, file: LookFile): readonly Found[] {
  if (!(isCode(file.language) ? BUDGET_CODE : BUDGET_FILE).test(file.path) || file.after.text === '') return [];
  if (/^(?:test|docs|lockfile|snapshot|generated)$/.test(file.role)) return [];
  if (!/\d/.test(file.removed.map(({ text }) => text).join(''))) return [];
  const [before, after] = [limitsOf(file, 'before'), limitsOf(file, 'after')];
  const [old, now] = [without(before, after), without(after, before)];
  return old.flatMap((was): readonly Found[] => {
    const next = now.find(({ id }) => id === was.id);
    const line = file.added.find(({ text }) => next !== undefined && text.includes(next.text))?.number;
    if (next === undefined) {
      // The thing itself may have another name now, or be gone.
      if (after.length >= before.length || isGoneElsewhere(look, file, was)) return [];
      return [
        {
          message: `the limit ${quote(was.id)} (${was.text}) was taken away`,
          path: file.path,
          line: lineOf(file, was),
        },
      ];
    }
    const ratio = next.value / was.value;
    if (was.looser === 'higher' ? ratio <= 1 : ratio >= 1) return [];
    const much = was.looser === 'higher' ? ratio > GROWTH : ratio < POORER;
    const message = `the limit ${quote(was.id)} went from ${was.text} to ${next.text}; make it smaller or faster instead`;
    return [{ message, path: file.path, line: line ?? lineOf(file, was), ...(!much && { level: 'warn' as const }) }];
  });
}

const lineOf = (file: LookFile, { text }: Limit): number =>
  file.removed.find(line => line.text.includes(text))?.number ?? file.removed[0]?.number ?? 1;

/** Those of the first that the second has not. */
function without(limits: readonly Limit[], others: readonly Limit[]): readonly Limit[] {
  const left = others.map(({ id, value }) => `${id}=${value}`);
  return limits.filter(({ id, value }) => {
    const at = left.indexOf(`${id}=${value}`);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

const isGoneElsewhere = ({ files }: Look, file: LookFile, { id }: Limit): boolean => {
  const name = /([\w-]{3,})(?:\.[\w*]+)*\]/.exec(id)?.[1];
  return (
    name !== undefined &&
    files.some(
      other =>
        other !== file && other.removed.some(({ text }) => text.includes(name)) && !other.after.text.includes(name),
    )
  );
};

function limitsOf(file: LookFile, side: 'before' | 'after'): readonly Limit[] {
  const { text } = file[side];
  const isOwn = !/package\.json$|webpack|angular\.json$|project\.json$/.test(file.path);
  const found: Limit[] = [];
  const add = (path: readonly string[], value: string) => {
    const key = path.at(-1) ?? '';
    const looser = looserOf(key, path.slice(0, -1).join('.'), isOwn);
    const number = amountOf(value);
    if (looser !== undefined && number !== undefined)
      found.push({ id: path.join('.'), text: value, value: number, looser });
  };
  const tree = file.language === 'json' ? parsed(text) : undefined;
  if (tree !== undefined) walk(tree, [], add);
  else for (const { path, value } of settingsOf(text, file.language)) add(path.split('.'), value);
  return file.language === 'json' ? found : [...found, ...expressions(file[side].code)];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

const NAMES = ['name', 'path', 'files', 'type', 'resourceType', 'metric', 'resourcePath', 'id', 'url', 'label'];

function walk(value: unknown, path: readonly string[], add: (path: readonly string[], value: string) => void): void {
  if (typeof value === 'number' || typeof value === 'string') add(path, String(value));
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    const one = inner as Readonly<Record<string, unknown>> | null;
    const name = Array.isArray(value)
      ? NAMES.map(field => one?.[field]).find(text => typeof text === 'string')
      : undefined;
    walk(inner, [...path, Array.isArray(value) ? `[${name ?? key}]` : key], add);
  }
}

const wordsOf = (key: string): readonly string[] =>
  key
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/);
const MOST = new Set([
  'max',
  'maximum',
  'limit',
  'budget',
  'ceiling',
  'upper',
  'cap',
  'tolerance',
  'allowed',
  'most',
  'regression',
]);
const LEAST = new Set(['min', 'minimum', 'floor', 'least', 'score']);
/** Names of amounts that are bounds only where a section says so. */
const AMOUNT = /^(?:p\d\d?|mean|median|avg|ms|seconds?|duration|latency|size|gzip|brotli|bytes|kb|time|total)$/;
/** Bounds of something else. */
const NO_BUDGET =
  /^(?:workers?|retries|retry|samples?|iterations?|runs?|rounds?|warmup|vus|users|connections?|concurrency|length|width|depth|version|instances|age|threads|timeout|interval|date|rate)$/;

function looserOf(key: string, section: string, isOwn: boolean): Limit['looser'] | undefined {
  const words = wordsOf(key);
  if (words.some(word => NO_BUDGET.test(word))) return undefined;
  if (!isOwn && !SECTION.test(section) && !/^max(?:Asset|Entrypoint)Size$/.test(key)) return undefined;
  if (words.includes('warning')) return undefined;
  if (words.some(word => MOST.has(word))) return 'higher';
  if (words.some(word => LEAST.has(word))) return 'lower';
  const inner = wordsOf(section.slice(section.lastIndexOf('.') + 1));
  if (
    /(?:^|\.)(?:budgets?|limits?|max\w*)(?:$|\.[^.]*$)/i.test(section) ||
    (AMOUNT.test(key) && inner.some(word => MOST.has(word)))
  )
    return 'higher';
  return undefined;
}

const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  '%': 1,
  x: 1,
  b: 1,
  byte: 1,
  bytes: 1,
  kb: 1e3,
  kib: 1024,
  k: 1e3,
  mb: 1e6,
  mib: 1_048_576,
  gb: 1e9,
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  ms: 1,
  s: 1e3,
  sec: 1e3,
  m: 6e4,
  min: 6e4,
};

function amountOf(text: string): number | undefined {
  const match = /^(\d[\d_]*(?:\.\d+)?)\s*([a-zµ%]*)$/i.exec(text.trim());
  const unit = UNITS[match?.[2]?.toLowerCase() ?? ''];
  const value = Number((match?.[1] ?? '').replaceAll('_', ''));
  return match === null || unit === undefined || value === 0 ? undefined : value * unit;
}

/** `'p(95)<400'`: a bound that is written as a comparison. */
function expressions(code: string): readonly Limit[] {
  if (!/thresholds?|ensure|assertions?/i.test(code)) return [];
  let key = '';
  return code.split('\n').flatMap(line =>
    [
      ...line.matchAll(
        /([\w{}:-]+)["']?\s*:\s*[[{]|["'\s]((?:p\(?[\d.]+\)?|avg|med|max|min|rate|count)\s*)([<>]=?)\s*(\d[\d.]*)/g,
      ),
    ].flatMap((match): readonly Limit[] => {
      const [, name, what, sign = '', number = ''] = match;
      if (what === undefined) key = name ?? key;
      if (what === undefined) return [];
      return [
        {
          id: `${key} ${what.trim()}`,
          text: `${sign}${number}`,
          value: Number(number),
          looser: sign.startsWith('<') ? 'higher' : 'lower',
        },
      ];
    }),
  );
}
