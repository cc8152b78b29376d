/** What tokens cost, for agents that report only token counts. These figures are estimates, not bills. */
import type { Usage } from '../protocol.ts';

/** Dollars for a million tokens. */
export interface Price {
  readonly input: number;
  readonly output: number;
  /** Read from a cache; absent: as input. */
  readonly cached?: number | undefined;
}

/** When the table below was put together; `prices:` in the config is asked first. */
export const PRICES_OF = '2026-11';

/**
 * By the beginning of a model's name, without its provider; the longest that fits counts. Base prices, as two programs that
 * are used with these models carry them: claude-* in Claude Code 2.1.325, the others in the model list of opencode 1.18.33. What stands
 * in neither has no place here.
 */
const TABLE: Readonly<Record<string, Price>> = {
  'claude-fable-5': { input: 10, output: 50, cached: 1 },
  'claude-fable-5-1': { input: 10, output: 50, cached: 0.25 },
  'claude-fable-5-2': { input: 8, output: 40, cached: 0.2 },
  'claude-opus-5-5': { input: 4, output: 20, cached: 0.2 },
  'claude-opus-5': { input: 5, output: 25, cached: 0.5 },
  'claude-opus-4-8': { input: 5, output: 25, cached: 0.5 },
  'claude-opus-4-7': { input: 5, output: 25, cached: 0.5 },
  'claude-opus-4-6': { input: 5, output: 25, cached: 0.5 },
  'claude-opus-4-5': { input: 5, output: 25, cached: 0.5 },
  'claude-opus-4': { input: 15, output: 75, cached: 1.5 },
  'claude-sonnet-5-5': { input: 2, output: 10, cached: 0.1 },
  'claude-sonnet-5': { input: 2, output: 10, cached: 0.2 },
  'claude-sonnet-4': { input: 3, output: 15, cached: 0.3 },
  'claude-haiku-4': { input: 1, output: 5, cached: 0.1 },
  'gpt-5': { input: 1.25, output: 10, cached: 0.125 },
  'gpt-5-mini': { input: 0.25, output: 2, cached: 0.025 },
  'gpt-5.1': { input: 1.25, output: 10, cached: 0.125 },
  'gpt-5.2': { input: 1.75, output: 14, cached: 0.175 },
  'gpt-5.3': { input: 1.75, output: 14, cached: 0.175 },
  'gpt-5.4': { input: 2.5, output: 15, cached: 0.25 },
  'gpt-5.4-mini': { input: 0.75, output: 4.5, cached: 0.075 },
  'gpt-5.5': { input: 5, output: 30, cached: 0.5 },
  'gpt-5.6': { input: 4, output: 20, cached: 0.4 },
  'gpt-5.6-terra': { input: 2, output: 12, cached: 0.2 },
  'gpt-5.6-luna': { input: 0.2, output: 1.2, cached: 0.02 },
  'gpt-6-astra': { input: 10, output: 50, cached: 1 },
  'gpt-6-sol': { input: 2, output: 10, cached: 0.2 },
  'gpt-6-luna': { input: 0.1, output: 0.5, cached: 0.01 },
  'gemini-2.5-pro': { input: 1.25, output: 10, cached: 0.125 },
  'gemini-2.5-flash': { input: 0.3, output: 2.5, cached: 0.03 },
  'gemini-3.1-pro': { input: 2, output: 12, cached: 0.2 },
  'gemini-3.5-flash': { input: 1.5, output: 9, cached: 0.15 },
};

/** The price of a model: the user's own (a name, or one that ends in `*`), then the table's. */
export function priceOf(model: string | undefined, own: Readonly<Record<string, Price>> = {}): Price | undefined {
  // Some agents never say which model they use; a price for every model is one for that, too.
  if (!model) return own['*'];
  const exact = Object.hasOwn(own, model) ? own[model] : undefined;
  if (exact) return exact;
  const starred = Object.keys(own).filter(key => key.endsWith('*') && model.startsWith(key.slice(0, -1)));
  const mine = longest(starred);
  if (mine !== undefined) return own[mine];
  const bare = model.slice(model.lastIndexOf('/') + 1);
  const known = longest(Object.keys(TABLE).filter(key => isNamed(bare, key)));
  return known === undefined ? undefined : TABLE[known];
}

/** What this many tokens cost; undefined where nobody knows. */
export function costOf(usage: Usage, price: Price | undefined): number | undefined {
  if (!price) return undefined;
  const { input, output, cached = input } = price;
  return (usage.inputTokens * input + usage.outputTokens * output + usage.cachedTokens * cached) / 1e6;
}

/** `gpt-5` is meant by `gpt-5-codex`, and not by `gpt-5.7`. */
const isNamed = (model: string, key: string): boolean =>
  model.startsWith(key) && /^([-[@:]|$)/.test(model.slice(key.length));

const longest = (keys: readonly string[]): string | undefined => keys.toSorted((a, b) => b.length - a.length)[0];
