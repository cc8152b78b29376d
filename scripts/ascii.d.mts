/** The same code with escapes in strings and expressions; what `String.raw` would see stays as it is. */
export function ascii(code: string): string;
