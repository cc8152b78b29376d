/** An argument as a shell reads it back: quoted where it has to be. */
export const quoted = (word: string): string =>
  /^[\w./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;

export interface CommandRest {
  readonly flags?: string;
  /** What comes after the item, such as an answer. */
  readonly text?: string;
}

/** A command about one item as a person pastes it: an id with a leading dash would be read as a flag, so it comes last, after `--`. */
export function itemCommand(verb: string, id: string, { flags = '', text = '' }: CommandRest = {}): string {
  const words = id.startsWith('-') ? [flags, '--', quoted(id), text] : [quoted(id), flags, text];
  return ['ralph', verb, ...words].filter(word => word !== '').join(' ');
}
