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

/** The same for each object that is asked about; the value is kept as long as the object. */
export function oncePer<K extends object, T>(make: (key: K) => T): (key: K) => T {
  const made = new WeakMap<K, { readonly value: T }>();
  return key => {
    const known = made.get(key) ?? { value: make(key) };
    made.set(key, known);
    return known.value;
  };
}
