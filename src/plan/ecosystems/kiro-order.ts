/** The dependencies of Kiro tasks: those they name, the waves of the dependency graph, and in cc-sdd all earlier tasks. */
import type { Problem } from '../../protocol.ts';
import { jsonFields } from '../../util/json.ts';
import { leavesOf, type Node } from './kiro-tree.ts';
import type { Line } from './lines.ts';

interface Waves {
  readonly waves: readonly (readonly string[])[];
  readonly problem?: Problem;
}

/** The JSON in the fence under "Task Dependency Graph". */
export function readWaves(lines: readonly Line[]): Waves {
  const at = lines.findIndex(({ heading }) => /dependency graph/i.test(heading?.name ?? ''));
  if (at < 0) return { waves: [] };
  const end = lines.findIndex(({ heading }, index) => index > at && heading !== undefined);
  const inside = lines.slice(at + 1, end < 0 ? undefined : end).filter(({ hidden }) => hidden === 'fence');
  const text = inside
    .map(line => line.text)
    .filter(line => !/^[ \t]*(?:`{3}|~{3})/.test(line))
    .join('\n');
  if (text.trim() === '') return { waves: [] };
  const { waves } = jsonFields(text);
  if (Array.isArray(waves)) return { waves: waves.map(tasksOf) };
  const line = inside[0]?.number ?? at + 1;
  const message =
    'the dependency graph cannot be read as {"waves": [{"tasks": ["1.1"]}]}; the order of the file counts';
  return { waves: [], problem: { level: 'warning', line, column: 1, message } };
}

function tasksOf(wave: unknown): readonly string[] {
  const tasks: unknown = typeof wave === 'object' && wave !== null ? Reflect.get(wave, 'tasks') : undefined;
  return Array.isArray(tasks) ? tasks.map(String) : [];
}

/** Numbers such as 1.2 in a text, each once and in order. */
export const idsIn = (text: string): readonly string[] => [
  ...new Set(text.match(/(?<![\w.])(?:[A-Z]{2,}-)?\d+(?:\.\d+)*/g) ?? []),
];

interface OrderInput {
  readonly leaves: readonly Node[];
  readonly nodes: readonly Node[];
  readonly waves: Waves['waves'];
  readonly isChained: boolean;
}

interface Order {
  readonly dependsOn: readonly string[];
  readonly parallel: boolean;
}

export function orderOf({ leaves, nodes, waves, isChained }: OrderInput): ReadonlyMap<string, Order> {
  const byId = new Map(nodes.map(node => [node.id, node]));
  const expand = (ids: readonly string[]) =>
    ids.flatMap(id => {
      const node = byId.get(id);
      return node ? leavesOf(node).map(leaf => leaf.id) : [];
    });
  const waveOf = new Map(waves.flatMap((tasks, index) => expand(tasks).map(id => [id, index] as const)));
  const orders = new Map<string, Order>();
  const passed: string[] = [];
  /** The last task that was not parallel, and the tasks after it. */
  let since: string[] = [];
  for (const node of leaves) {
    const { id, parallel } = node;
    const wave = waveOf.get(id);
    const before = wave === undefined ? (waves.length > 0 ? [...passed] : []) : expand(waves[wave - 1] ?? []);
    const chain = isChained && waves.length === 0 ? (parallel ? since.slice(0, 1) : since) : [];
    const dependsOn = [...new Set([...before, ...chain, ...expand(named(node))])].filter(other => other !== id);
    orders.set(id, { dependsOn, parallel: wave !== undefined && (waves[wave]?.length ?? 0) > 1 });
    passed.push(id);
    since = parallel && since.length > 0 ? [...since, id] : [id];
  }
  return orders;
}

/** `_Depends: 1.2, 3_` under a task. */
const named = ({ owned: { under } }: Node): readonly string[] =>
  under.flatMap(({ text }) => idsIn(/_Depends(?: on)?:([^_]*)_/i.exec(text)?.[1] ?? ''));
