/** A value that is worked out when it is first asked for, and kept. What it is made from is let go then. */
export function once<T>(make: () => T): () => T {
  let maker: (() => T) | undefined = make;
  let value: T;
  return () => {
    if (maker) {
      value = maker();
      maker = undefined;
    }
    return value;
  };
}
