/** An argument as a shell reads it back: quoted where it has to be. */
export const quoted = (word: string): string =>
  /^[\w./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
