/**
 * The template language: `{{name}}` is a value, `{{#name}}…{{/name}}` is kept when the value is not empty and
 * `{{^name}}…{{/name}}` when it is. A section tag alone on its line takes the line with it.
 */
import { type Failure, type FailureReason, fail, ok, type Result } from '../util/result.ts';
import { nearest } from '../util/suggest.ts';
import { placeAt } from '../util/text.ts';

/** A compiled template. */
export type Node =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'value'; readonly name: string }
  | {
      readonly type: 'section';
      readonly name: string;
      readonly when: 'filled' | 'empty';
      readonly body: readonly Node[];
    };

export type Values = Readonly<Record<string, string>>;

export interface CompileOptions {
  readonly text: string;
  /** Named in failures. */
  readonly file: string;
  readonly known: readonly string[];
}

const TAG = /^[ \t]*\{\{([#^/])([^{}\n]*)\}\}[ \t]*(?:\n|(?![\s\S]))|\{\{([#^/]?)([^{}\n]*)\}\}/gm;
const DEEPEST = 8;

interface Open {
  readonly name: string;
  readonly when: 'filled' | 'empty';
  readonly at: number;
  readonly nodes: Node[];
}

export function compile({ text: raw, file, known }: CompileOptions): Result<readonly Node[]> {
  const text = raw
    .replace(/^\uFEFF/, '')
    .replace(/\r\n/g, '\n')
    .trimEnd();
  const wrong = (reason: FailureReason, at: number, message: string, hint: string) =>
    fail<Failure>({ reason, message, file, ...placeAt(text, at), hint });

  const root: Node[] = [];
  const stack: Open[] = [];
  const into = (): Node[] => stack.at(-1)?.nodes ?? root;
  let from = 0;
  for (const tag of text.matchAll(TAG)) {
    if (tag.index > from) into().push({ type: 'text', text: text.slice(from, tag.index) });
    from = tag.index + tag[0].length;
    const at = tag.index + tag[0].indexOf('{{');
    const sign = tag[1] ?? tag[3] ?? '';
    const name = (tag[2] ?? tag[4] ?? '').trim();

    if (!known.includes(name)) {
      const near = nearest(name, known);
      const hint = near ? `Did you mean {{${sign}${near}}}?` : `This template knows: ${known.join(', ')}.`;
      return wrong('template-placeholder', at, `unknown placeholder {{${sign}${name}}}`, hint);
    }
    if (sign === '') into().push({ type: 'value', name });
    else if (sign === '/') {
      const open = stack.pop();
      if (open?.name !== name) {
        const hint = open ? `Close {{#${open.name}}} first.` : 'Remove it, or open the section before it.';
        return wrong('template-section', at, `{{/${name}}} closes a section that is not open`, hint);
      }
      into().push({ type: 'section', name, when: open.when, body: open.nodes });
    } else {
      if (stack.length >= DEEPEST) {
        return wrong('template-section', at, `sections are nested more than ${DEEPEST} deep`, 'Take some of them out.');
      }
      stack.push({ name, when: sign === '#' ? 'filled' : 'empty', at, nodes: [] });
    }
  }
  const left = stack.at(-1);
  if (left) {
    return wrong('template-section', left.at, `section "${left.name}" is never closed`, `Add {{/${left.name}}}.`);
  }
  if (from < text.length) root.push({ type: 'text', text: text.slice(from) });
  return ok(root);
}

/** Values are put in as they are: what looks like a placeholder inside one stays text. */
export function render(nodes: readonly Node[], values: Values): string {
  return write(nodes, values).trim();
}

function write(nodes: readonly Node[], values: Values): string {
  return nodes
    .map(node => {
      if (node.type === 'text') return node.text;
      const value = values[node.name] ?? '';
      if (node.type === 'value') return value;
      return (value === '') === (node.when === 'empty') ? write(node.body, values) : '';
    })
    .join('');
}
