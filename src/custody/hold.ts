/**
 * The single interface for protecting the runner's state from other programs: agents, reviewers, planners, gates. Each thing is recorded
 * before such a program runs and restored afterwards, in the order of the list. Each returns what had changed as a value; the caller
 * decides what to record and show.
 */

/** One thing to protect. Calling it records the current state and returns a function that restores it. */
export type Thing<Found = Change> = () => PutBack<Found> | Promise<PutBack<Found>>;

export type PutBack<Found = Change> = () => Found | Promise<Found>;

/** What had been changed, in words; empty if nothing had. */
export interface Change {
  readonly edits: readonly string[];
}

export const UNCHANGED: Change = { edits: [] };

type Things = Readonly<Record<string, Thing<unknown>>>;

type Found<T extends Things> = { readonly [name in keyof T]: T[name] extends Thing<infer F> ? F : never };

export interface Held<T extends Things> {
  /** Restores all things, and returns what was found of each. */
  putBack(): Promise<Found<T>>;
}

export async function hold<const T extends Things>(things: T): Promise<Held<T>> {
  const noted: (readonly [string, PutBack<unknown>])[] = [];
  for (const [name, thing] of Object.entries(things)) noted.push([name, await thing()]);
  return {
    async putBack() {
      const found: Record<string, unknown> = {};
      for (const [name, putBack] of noted) found[name] = await putBack();
      return found as Found<T>;
    },
  };
}

/** All changes that were found, in the order of the things. */
export const editsOf = (found: Readonly<Record<string, Change>>): readonly string[] =>
  Object.values(found).flatMap(({ edits }) => edits);
