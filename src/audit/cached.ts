/** A long-lived process looks at many trees. */
const KEPT = 20_000;

/** Keeps the answer per text, because many rules ask about the same paths and lines. */
export function cached<T>(decide: (text: string) => T): (text: string) => T {
  const answers = new Map<string, { readonly value: T }>();
  return text => {
    const known = answers.get(text);
    if (known) return known.value;
    const value = decide(text);
    if (answers.size > KEPT) answers.clear();
    answers.set(text, { value });
    return value;
  };
}
