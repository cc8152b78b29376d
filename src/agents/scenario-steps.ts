/** The steps a scripted agent can take. */
import { parseDuration } from '../util/duration.ts';
import { isRecord } from '../util/json.ts';
import { type Failure, fail, ok, type Result } from '../util/result.ts';
import { nearest } from '../util/suggest.ts';
import { amountAt, textAt } from './json-lines.ts';

export type Step =
  | { readonly type: 'say'; readonly text: string }
  | { readonly type: 'tool'; readonly name: string; readonly detail: string }
  | { readonly type: 'write' | 'append'; readonly path: string; readonly text: string }
  | { readonly type: 'replace'; readonly path: string; readonly from: string; readonly to: string }
  | { readonly type: 'delete'; readonly path: string }
  | { readonly type: 'run'; readonly command: string }
  | { readonly type: 'sleep'; readonly ms: number }
  | {
      readonly type: 'usage';
      readonly input: number;
      readonly output: number;
      readonly cached: number;
      readonly cost: number;
    }
  | { readonly type: 'rate-limit'; readonly ms: number }
  | { readonly type: 'fail'; readonly class: FailClass; readonly message: string }
  | { readonly type: 'hang' | 'ignore-term' }
  | { readonly type: 'exit'; readonly code: number };

const FAIL_CLASSES = ['overload', 'network', 'auth', 'setup', 'validation', 'logic'] as const;
export type FailClass = (typeof FAIL_CLASSES)[number];

/** A place in the document, for messages. */
export interface Spot {
  readonly file: string;
  readonly path: string;
}

type Reader = (value: unknown, spot: Spot) => Result<Step>;

const READERS: Readonly<Record<Step['type'], Reader>> = {
  say: (value, spot) => withText(value, spot, text => ({ type: 'say', text })),
  tool: (value, spot) =>
    withFields(value, spot, { text: ['name'], optionalText: ['detail'] }, ({ text }) => ({
      type: 'tool',
      name: text('name'),
      detail: text('detail'),
    })),
  write: (value, spot) => writing('write', value, spot),
  append: (value, spot) => writing('append', value, spot),
  replace: (value, spot) =>
    withFields(value, spot, { text: ['path', 'from', 'to'] }, ({ text }) => ({
      type: 'replace',
      path: text('path'),
      from: text('from'),
      to: text('to'),
    })),
  delete: (value, spot) => withText(value, spot, path => ({ type: 'delete', path })),
  run: (value, spot) => withText(value, spot, command => ({ type: 'run', command })),
  sleep: (value, spot) => withDuration(value, spot, ms => ({ type: 'sleep', ms })),
  usage: (value, spot) =>
    withFields(value, spot, { optionalNumber: ['input', 'output', 'cached', 'cost'] }, ({ amount }) => ({
      type: 'usage',
      input: amount('input'),
      output: amount('output'),
      cached: amount('cached'),
      cost: amount('cost'),
    })),
  'rate-limit': (value, spot) =>
    isRecord(value) && Object.keys(value).join() === 'for'
      ? withDuration(value.for, at(spot, 'for'), ms => ({ type: 'rate-limit', ms }))
      : fail(problem(spot, 'has to be {for: <duration>}')),
  fail: readFail,
  hang: (value, spot) => withTrue(value, spot, { type: 'hang' }),
  'ignore-term': (value, spot) => withTrue(value, spot, { type: 'ignore-term' }),
  exit: (value, spot) =>
    typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 255
      ? ok({ type: 'exit', code: value })
      : fail(problem(spot, 'has to be an exit code from 0 to 255')),
};

const isStepName = (name: string): name is Step['type'] => Object.hasOwn(READERS, name);

export function readSteps(value: unknown, spot: Spot): Result<readonly Step[]> {
  if (!Array.isArray(value)) return fail(problem(spot, 'has to be a list of steps'));
  const steps: Step[] = [];
  for (const [index, each] of value.entries()) {
    const here = { file: spot.file, path: `${spot.path}[${index}]` };
    const [name, ...more] = isRecord(each) ? Object.keys(each) : [];
    if (!isRecord(each) || name === undefined || more.length > 0) {
      return fail(problem(here, 'a step is a mapping with one key, such as "say: hello"'));
    }
    if (!isStepName(name)) {
      return fail(problem(here, `unknown step "${name}"`, { word: name, known: Object.keys(READERS) }));
    }
    const step = READERS[name](each[name], at(here, name));
    if (!step.ok) return step;
    steps.push(step.value);
  }
  return ok(steps);
}

/** One sentence about one place, with the nearest known word where a name was wrong. */
export function problem(
  { file, path }: Spot,
  message: string,
  names?: { readonly word: string; readonly known: readonly string[] },
): Failure {
  const near = names && nearest(names.word, names.known);
  const hints = [near ? `Did you mean "${near}"?` : '', names ? `Allowed: ${names.known.join(', ')}.` : ''];
  const hint = hints.filter(Boolean).join(' ');
  return {
    reason: 'scenario-invalid',
    message: path ? `${path}: ${message}` : message,
    file,
    ...(hint ? { hint } : {}),
  };
}

const at = ({ file, path }: Spot, key: string): Spot => ({ file, path: `${path}.${key}` });

function withText(value: unknown, spot: Spot, step: (text: string) => Step): Result<Step> {
  return typeof value === 'string' ? ok(step(value)) : fail(problem(spot, 'has to be text'));
}

function withTrue(value: unknown, spot: Spot, step: Step): Result<Step> {
  return value === true ? ok(step) : fail(problem(spot, 'has to be true'));
}

function withDuration(value: unknown, spot: Spot, step: (ms: number) => Step): Result<Step> {
  const ms = typeof value === 'string' ? parseDuration(value) : undefined;
  return ms === undefined ? fail(problem(spot, 'has to be a duration such as 200ms, 2s or 5m')) : ok(step(ms));
}

/** The checked fields of a step; what was left out is empty or 0. */
interface Fields {
  readonly text: (key: string) => string;
  readonly amount: (key: string) => number;
}

interface Shape {
  readonly text?: readonly string[];
  readonly optionalText?: readonly string[];
  readonly optionalNumber?: readonly string[];
}

function withFields(value: unknown, spot: Spot, shape: Shape, step: (fields: Fields) => Step): Result<Step> {
  const { text = [], optionalText = [], optionalNumber = [] } = shape;
  const known = [...text, ...optionalText, ...optionalNumber];
  if (!isRecord(value)) return fail(problem(spot, `has to be a mapping with ${known.join(', ')}`));
  const stray = Object.keys(value).find(key => !known.includes(key));
  if (stray !== undefined) return fail(problem(spot, `unknown key "${stray}"`, { word: stray, known }));
  for (const key of [...text, ...optionalText]) {
    const required = text.includes(key);
    if (required && value[key] === undefined) return fail(problem(spot, `needs "${key}"`));
    if (value[key] !== undefined && typeof value[key] !== 'string')
      return fail(problem(at(spot, key), 'has to be text'));
  }
  for (const key of optionalNumber) {
    const amount = value[key] ?? 0;
    if (typeof amount !== 'number' || !(amount >= 0)) return fail(problem(at(spot, key), 'has to be a number from 0'));
  }
  return ok(step({ text: key => textAt(value, key), amount: key => amountAt(value, key) }));
}

function writing(type: 'write' | 'append', value: unknown, spot: Spot): Result<Step> {
  return withFields(value, spot, { text: ['path', 'text'] }, ({ text }) => ({
    type,
    path: text('path'),
    text: text('text'),
  }));
}

function readFail(value: unknown, spot: Spot): Result<Step> {
  const word = isRecord(value) ? textAt(value, 'class') : '';
  const named = FAIL_CLASSES.find(name => name === word);
  if (word && named === undefined) {
    return fail(problem(at(spot, 'class'), `unknown class "${word}"`, { word, known: FAIL_CLASSES }));
  }
  return withFields(value, spot, { text: ['class'], optionalText: ['message'] }, ({ text }) => ({
    type: 'fail',
    class: named ?? 'logic',
    message: text('message') || 'the scenario says so',
  }));
}
