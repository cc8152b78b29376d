/** Runs test gates on other trees than the work tree: in separate folders, within one time budget, each tree once. */
import { utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runChecks } from '../checks/index.ts';
import type { Mutation } from '../evidence/index.ts';
import type { Gate, GateResult, TrialCost } from '../protocol.ts';
import { ownFolder } from '../util/own-folder.ts';
import { clearWrongKind } from '../util/regular.ts';
import { withCheckout } from './fresh-checkout.ts';
import type { Session } from './session.ts';

/** Gate results for a tree; undefined if the gates could not run: no time, no disk space, or a stop request. */
export type Said = readonly GateResult[] | undefined;

export interface TrialOptions {
  readonly gates: readonly Gate[];
  readonly timeoutMs: number;
}

const KEPT = 100;
/** A mutant that never ends counts as noticed; it gets this multiple of the gate's usual time, but at least `PATIENCE_MS`. */
const PATIENCE = 4;
const PATIENCE_MS = 20_000;

export class Trials {
  /** Why the result is incomplete; only the first reason is reported. */
  incomplete: string | undefined;
  /** How many gates were run, and how long they took. */
  runs = 0;
  durationMs = 0;
  readonly #steps: { readonly why: string; readonly runs: number; readonly durationMs: number }[] = [];
  readonly #began: number;
  readonly #session: Session;
  readonly #gates: readonly Gate[];
  readonly #deadline: number;
  readonly #budget: number;

  constructor(session: Session, { gates, timeoutMs }: TrialOptions) {
    this.#session = session;
    this.#gates = gates;
    this.#budget = timeoutMs;
    this.#began = session.clock.monotonic();
    this.#deadline = this.#began + timeoutMs;
  }

  /** Notes the purpose of the runs in `act`, if there were any. */
  async noting<T>(act: () => Promise<T>, words: (done: T) => string): Promise<T> {
    const { runs, took } = this;
    const done = await act();
    if (this.runs > runs) {
      const spent = { runs: this.runs - runs, durationMs: this.took - took };
      this.#steps.push({ why: words(done), ...spent });
    }
    return done;
  }

  /** Milliseconds since the first trial, checkouts included. */
  get took(): number {
    return Math.round(this.#session.clock.monotonic() - this.#began);
  }

  /** The total cost; undefined if nothing had to be run. */
  get cost(): TrialCost | undefined {
    if (this.runs === 0) return undefined;
    const why = this.#steps.map(step => step.why);
    return { runs: this.runs, durationMs: this.durationMs, why, wallMs: this.took, steps: this.#steps };
  }

  /** Runs all gates on this tree, red or not; `again` ignores known results, to rule out flaky tests. */
  async on(tree: string, which: 'known' | 'again' = 'known', gates = this.#gates): Promise<Said> {
    const { told } = this.#session;
    const known = gates.map(gate => told.get(keyOf(gate, tree)));
    if (which === 'known' && known.every(result => result !== undefined)) return known;
    const said = await this.#inCheckout(tree, folder => this.#ask(folder, gates));
    if (!said) return undefined;
    for (const [at, gate] of gates.entries()) {
      const result = said[at];
      if (result) told.set(keyOf(gate, tree), result);
    }
    for (const key of [...told.keys()].slice(0, Math.max(0, told.size - KEPT))) told.delete(key);
    return said;
  }

  /** Which of these mutants some gate notices; a shorter list if the time ran out. */
  async mutants(
    tree: string,
    { mutations, usual }: { readonly mutations: readonly Mutation[]; readonly usual: readonly GateResult[] },
  ): Promise<readonly { readonly mutation: Mutation; readonly noticed: boolean }[]> {
    const tried: { mutation: Mutation; noticed: boolean }[] = [];
    const patient = this.#gates.map((gate, at) => {
      const timeoutMs = Math.max(PATIENCE_MS, PATIENCE * (usual[at]?.durationMs ?? 0));
      return { ...gate, timeoutMs: Math.min(gate.timeoutMs, timeoutMs) };
    });
    await this.#inCheckout(tree, async folder => {
      // Compiler caches compare timestamps, so no two versions of a file may have the same one.
      let at = Math.floor(Date.now() / 1000);
      const put = (path: string, text: string) => {
        ownFolder(folder, dirname(join(folder, path)));
        clearWrongKind(join(folder, path), 'file');
        writeFileSync(join(folder, path), text);
        at += 2;
        utimesSync(join(folder, path), at, at);
      };
      for (const mutation of mutations) {
        put(mutation.path, mutation.text);
        const said = await this.#ask(folder, patient, 'first-red');
        if (!said) return undefined;
        tried.push({ mutation, noticed: said.some(({ status }) => status !== 'green') });
        put(mutation.path, mutation.original);
      }
      return [];
    });
    return tried;
  }

  async #inCheckout(tree: string, use: (folder: string) => Promise<Said>): Promise<Said> {
    const { workspace, state } = this.#session;
    if (this.#isOver()) return undefined;
    const done = await withCheckout({ workspace, run: state.run, tree, packages: 'linked' }, use);
    if (done.ok) return done.value;
    this.incomplete ??= done.error.message;
    return undefined;
  }

  async #ask(folder: string, gates: readonly Gate[], until: 'all' | 'first-red' = 'all'): Promise<Said> {
    const said: GateResult[] = [];
    for (const gate of gates) {
      if (this.#isOver()) return undefined;
      const timeoutMs = Math.max(1, Math.min(gate.timeoutMs, this.#left()));
      const [result] = await runChecks(this.#session, { gates: [{ ...gate, timeoutMs }], phase: 'proof', folder });
      this.runs += result && result.status !== 'not-run' ? 1 : 0;
      this.durationMs += result?.durationMs ?? 0;
      if (!result || result.status === 'not-run' || (result.status === 'timeout' && this.#isOver())) return undefined;
      said.push(result);
      if (until === 'first-red' && result.status !== 'green') break;
    }
    return said;
  }

  #left(): number {
    return this.#deadline - this.#session.clock.monotonic();
  }

  #isOver(): boolean {
    if (this.#session.options.stopper.signal.aborted) return true;
    if (this.#left() > 0) return false;
    this.incomplete ??= `the time for proof ran out (proof-timeout, ${Math.round(this.#budget / 1000)}s)`;
    return true;
  }
}

const keyOf = (gate: Gate, tree: string): string => `${tree} ${gate.run}`;
