/** Caches which gates are green on the files they depend on. In memory only, because an agent could write to a file on disk. */
import { createHash } from 'node:crypto';
import { isGateFile, isManifest, isToolConfig, roleOf } from '../audit/index.ts';
import type { Gate, GateResult } from '../protocol.ts';
import { keepNewest } from '../util/bounded.ts';
import { globMatcher } from '../util/globs.ts';
import type { TreeEntry, Workspace } from '../workspace/index.ts';

type Trees = Pick<Workspace, 'trees'>;

/** Older results are hardly ever needed. */
const KEPT = 200;

export class KnownGreen {
  readonly #results = new Map<string, GateResult>();

  /** Returns the known results of these gates for this tree. */
  async on(workspace: Trees, tree: string, gates: readonly Gate[]): Promise<(gate: Gate) => GateResult | undefined> {
    if (this.#results.size === 0) return () => undefined;
    const keys = await gateKeys(workspace, tree, gates);
    return gate => this.#results.get(keys.get(gate.name) ?? '');
  }

  /** Stores green results only: a red gate is run again, because it may be flaky. */
  async learn(workspace: Trees, tree: string, gates: readonly Gate[], results: readonly GateResult[]): Promise<void> {
    const green = new Map(results.filter(({ status }) => status === 'green').map(result => [result.name, result]));
    const proven = gates.filter(gate => green.has(gate.name));
    for (const [name, key] of await gateKeys(workspace, tree, proven)) {
      const result = green.get(name);
      if (result) this.#results.set(key, result);
      keepNewest(this.#results, KEPT);
    }
  }
}

async function gateKeys(workspace: Trees, tree: string, gates: readonly Gate[]): Promise<ReadonlyMap<string, string>> {
  const needsEntries = gates.some(gate => gate.paths !== undefined);
  const entries = needsEntries ? await workspace.trees.entries(tree) : undefined;
  const keys = gates.flatMap((gate): readonly (readonly [string, string])[] => {
    if (gate.paths === undefined) return [[gate.name, `${gate.run}\0${tree}`]];
    return entries?.ok ? [[gate.name, `${gate.run}\0${partOf(entries.value, gate.paths)}`]] : [];
  });
  return new Map(keys);
}

/** The part of a tree that a gate depends on, as one hash. Files that decide how programs run are always included. */
function partOf(entries: readonly TreeEntry[], paths: readonly string[]): string {
  const named = globMatcher(paths);
  const hash = createHash('sha256');
  for (const { path, id, mode } of entries) {
    if (named(path) || decidesHowItRuns(path)) hash.update(`${mode} ${id} ${path}\0`);
  }
  return hash.digest('hex');
}

const decidesHowItRuns = (path: string): boolean =>
  isManifest(path) || isToolConfig(path) || isGateFile(path) || ['lockfile', 'test-support'].includes(roleOf(path));
