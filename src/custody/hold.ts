/**
 * The one way in which code that is not the runner's is let near what is: an agent, a reviewer, a planner, gates. Each thing is
 * noted before that code runs and put back after it, in the order in which they are named here, and says as a value
 * what had become of it. Who holds them decides what is recorded and told.
 */

/** One thing that must be as it was. Calling it notes the thing as it is now and gives what puts it back. */
export type Thing<Found = Change> = () => PutBack<Found> | Promise<PutBack<Found>>;

export type PutBack<Found = Change> = () => Found | Promise<Found>;

/** What had been changed, in words; nothing where all was as it had been. */
export interface Change {
  readonly edits: readonly string[];
}

export const UNCHANGED: Change = { edits: [] };

type Things = Readonly<Record<string, Thing<unknown>>>;

type Found<T extends Things> = { readonly [name in keyof T]: T[name] extends Thing<infer F> ? F : never };

export interface Held<T extends Things> {
  /** What was found of each thing; all of them are as they were when this returns. */
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

/** Everything that had been changed, thing by thing. */
export const editsOf = (found: Readonly<Record<string, Change>>): readonly string[] =>
  Object.values(found).flatMap(({ edits }) => edits);
