/** In single quotes, in which a shell interprets nothing. */
export const singleQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** An argument quoted for a shell, if it needs quoting. */
export const quoted = (word: string): string => (/^[\w./:@%+=,-]+$/.test(word) ? word : singleQuoted(word));

export interface CommandRest {
  readonly flags?: string;
  /** What follows the item, such as an answer. */
  readonly text?: string;
}

/** A command about one item, ready to paste. An id with a leading dash would be parsed as a flag, so it comes last, after `--`. */
export function itemCommand(verb: string, id: string, { flags = '', text = '' }: CommandRest = {}): string {
  const words = id.startsWith('-') ? [flags, '--', quoted(id), text] : [quoted(id), flags, text];
  return ['ralph', verb, ...words].filter(word => word !== '').join(' ');
}
