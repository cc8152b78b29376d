/** The boxes of a Kiro plan as a tree: numbered parts of numbered tasks. */
import type { Problem } from '../../protocol.ts';
import { readTaskText, slugOf } from '../task-text.ts';
import { type TakenIds, uniqueId } from '../unique-id.ts';
import type { Owned } from './outline.ts';

/** A box and its position in the tree. */
export interface Node {
  readonly id: string;
  readonly owned: Owned;
  readonly parent: Node | undefined;
  readonly parts: Node[];
  readonly optional: boolean;
  /** cc-sdd marks it as parallel with its neighbours. */
  readonly parallel: boolean;
}

export const NUMBER = /^(?:\*\*)?(\d+(?:\.\d+)*)(\*?)[.):]?(?=[\s*]|$)/;
export const PARALLEL = /[ \t]*\(P\)/;

/** A part is attached to its parent by its number, or by its indentation if it has no number. */
export function treeOf(tasks: readonly Owned[], problems: Problem[]): readonly Node[] {
  const taken: TakenIds = new Map();
  const byNumber = new Map<string, Node>();
  const byTask = new Map<Owned, Node>();
  return tasks.map(owned => {
    const text = owned.line.box?.text ?? '';
    const [, number, star] = NUMBER.exec(text) ?? [];
    const wanted = number ?? slugOf(readTaskText(text).title);
    const id = uniqueId(taken, wanted, '-');
    if (number !== undefined && id !== wanted) {
      const message = `the number ${wanted} is used more than once; this one is "${id}"`;
      problems.push({ level: 'warning', line: owned.line.number, column: 1, message });
    }
    const above = owned.parents.at(-1);
    const whole = number?.includes('.') ? number.slice(0, number.lastIndexOf('.')) : undefined;
    const parent = (whole === undefined ? undefined : byNumber.get(whole)) ?? (above && byTask.get(above));
    const node: Node = {
      id,
      owned,
      parent,
      parts: [],
      optional: owned.line.box?.starred === true || star === '*' || parent?.optional === true,
      parallel: PARALLEL.test(text),
    };
    parent?.parts.push(node);
    if (number !== undefined) byNumber.set(number, node);
    byTask.set(owned, node);
    return node;
  });
}

export const leavesOf = (node: Node): readonly Node[] =>
  node.parts.length === 0 ? [node] : node.parts.flatMap(leavesOf);
