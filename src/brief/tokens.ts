/** Sizes. Four bytes of UTF-8 for a token is rough, but it needs no tokenizer and is the same for every agent. */

const BYTES_PER_TOKEN = 4;

export const byteLength = (text: string): number => Buffer.byteLength(text, 'utf8');

/** Tokens that so many bytes of text are likely to cost. */
export const tokensOf = (bytes: number): number => Math.ceil(bytes / BYTES_PER_TOKEN);

export const estimateTokens = (text: string): number => tokensOf(byteLength(text));

/** The bytes a budget of so many tokens allows. */
export const bytesIn = (tokens: number): number => Math.max(0, Math.floor(tokens)) * BYTES_PER_TOKEN;
