/** A reader that knows what it read last: a text is found, parsed and marked in a row, and reading it is most of the work. */
export function lastText<T>(read: (text: string) => T): (text: string) => T {
  let last: { readonly text: string; readonly result: T } | undefined;
  return text => {
    if (last?.text !== text) last = { text, result: read(text) };
    return last.result;
  };
}
