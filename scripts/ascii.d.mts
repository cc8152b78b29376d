/** The same code with escapes in strings and regular expressions; text under `String.raw` stays as it is. */
export function ascii(code: string): string;
