/** Gate results of the newest green trees; the next item's base is one of them. */
import type { GateResult } from '../protocol.ts';
import type { Workspace } from '../workspace/index.ts';

const KEPT = 4;

export class BaseTests {
  #known: { readonly tree: string; readonly gates: readonly GateResult[] }[] = [];
  readonly #workspace: Pick<Workspace, 'diff'>;
  readonly #owned: readonly string[];

  constructor(workspace: Pick<Workspace, 'diff'>, owned: readonly string[]) {
    this.#workspace = workspace;
    this.#owned = owned;
  }

  learn(tree: string, gates: readonly GateResult[]): void {
    this.#known = [{ tree, gates }, ...this.#known.filter(one => one.tree !== tree)].slice(0, KEPT);
  }

  /** Finds the results for a tree: a commit differs from the judged tree only in the runner's own files. */
  async of(tree: string): Promise<readonly GateResult[] | undefined> {
    for (const known of this.#known) {
      const diff = await this.#workspace.diff(known.tree, tree);
      if (diff.ok && diff.value.changes.every(({ path }) => this.#owned.includes(path))) return known.gates;
    }
    return undefined;
  }
}
