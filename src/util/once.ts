/** Computes a value on first use and keeps it; `make` is released then. */
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
