/** Variables such as `{{step.prompt}}` in the prompts of a workflow. */
import { nearest } from '../../util/suggest.ts';
import { yaml } from '../../util/yaml-package.ts';

/** Values by the first word of a variable: `step`, `item`, `phase`, `sprint` and the names of collections. */
export type Scope = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export interface Unknown {
  readonly name: string;
  /** The index of the variable in the template, from 0. */
  readonly nth: number;
  readonly near: string | undefined;
  /** It refers to an item, but there is none here. */
  readonly needsItem: boolean;
}

export interface Filled {
  readonly text: string;
  readonly unknown: readonly Unknown[];
}

/** `${{ x }}` is another template language, and `\{{x}}` is an escape. */
const VARIABLE = /([\\$]?)\{\{\s*([A-Za-z_][\w-]*(?:\.[\w-]+)*)\s*\}\}/g;

/** Replaces every variable by its value; an unknown one stays as it is and is reported. */
export function fillTemplate(template: string, { scope, items }: { scope: Scope; items: ReadonlySet<string> }): Filled {
  const unknown: Unknown[] = [];
  let nth = -1;
  const text = template.replace(VARIABLE, (whole: string, mark: string, name: string, offset: number) => {
    nth += 1;
    if (mark === '$') return whole;
    if (mark === '\\') return whole.slice(1);
    const value = lookUp(scope, name);
    if (value !== undefined) return indented(value, template, offset);
    const [root = ''] = name.split('.');
    const needsItem = name.includes('.') && items.has(root) && scope[root] === undefined;
    unknown.push({ name, nth, near: needsItem ? undefined : nearest(name, namesIn(scope)), needsItem });
    return whole;
  });
  return { text, unknown };
}

/** The offset of the nth variable of a text. */
export function variableAt(source: string, nth: number): number {
  return [...source.matchAll(VARIABLE)][nth]?.index ?? 0;
}

/** Whether a template refers to an item. */
export function usesItem(template: string, items: ReadonlySet<string>): boolean {
  return [...template.matchAll(VARIABLE)].some(([, mark, name = '']) => !mark && items.has(name.split('.')[0] ?? ''));
}

function lookUp(scope: Scope, name: string): string | undefined {
  let value: unknown = scope;
  for (const part of name.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Record<string, unknown>)[part];
  }
  if (value === scope || value === undefined || Object.values(scope).includes(value as never)) return undefined;
  return shown(value);
}

function shown(value: unknown): string {
  if (value === null) return '';
  return (typeof value === 'string' ? value : yaml().stringify(value, { lineWidth: 0 })).trimEnd();
}

/** Indents the lines of a value like its first one, so that lists and code blocks stay intact. */
function indented(value: string, template: string, offset: number): string {
  const before = template.slice(template.lastIndexOf('\n', offset - 1) + 1, offset);
  return /^ +$/.test(before) ? value.replace(/\n(?=[^\n])/g, `\n${before}`) : value;
}

const namesIn = (scope: Scope): readonly string[] =>
  Object.entries(scope).flatMap(([root, values]) => Object.keys(values).map(key => `${root}.${key}`));
