/** A promise that is resolved from outside; Node 20 has no `Promise.withResolvers`. */
export interface Deferred<T> {
  readonly promise: Promise<T>;
  /** Only the first call counts. */
  readonly resolve: (value: T) => void;
}

export function deferred<T>(): Deferred<T> {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>(keep => {
    resolve = keep;
  });
  return { promise, resolve: value => resolve(value) };
}
