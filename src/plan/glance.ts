/**
 * Looking at a text that is found, parsed and marked in a row: once, and without a throw. Where a look shows too little,
 * or there are words of many megabytes, which are more than a pattern can take, there is nothing; then the whole is read.
 */
export function glancing<T>(look: (text: string) => T | undefined): (text: string) => T | undefined {
  let last: { readonly text: string; readonly seen: T | undefined } | undefined;
  return text => {
    if (last?.text !== text) last = { text, seen: orNothing(() => look(text)) };
    return last.seen;
  };
}

function orNothing<T>(look: () => T | undefined): T | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
