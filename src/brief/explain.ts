/** Where the tokens of a brief go. */
import { plural } from '../util/show.ts';
import type { Brief, SlotName } from './slots.ts';
import { estimateTokens, tokensOf } from './tokens.ts';

/** Above this, what every iteration pays leaves less room for the work itself. */
const FIXED_LIMIT = 8_000;

/** Slots that are the same for every item of a plan. */
const FIXED: ReadonlySet<SlotName> = new Set(['role', 'instructions', 'about', 'context', 'gates', 'claim']);

export interface AutoLoaded {
  readonly path: string;
  readonly bytes: number;
}

export interface ExplainOptions {
  /** Tokens above which the fixed part is warned about. */
  readonly limit?: number;
}

interface Row {
  readonly name: string;
  readonly tokens: number;
  readonly budget: string;
  readonly note: string;
  readonly fixed: boolean;
}

/** A table of tokens per slot against its budget, with what the agent loads by itself, and a warning when needed. */
export function explainBrief(brief: Brief, autoLoaded: readonly AutoLoaded[], options: ExplainOptions = {}): string {
  const { limit = FIXED_LIMIT } = options;
  const slots = brief.slots.map(
    (slot): Row => ({
      name: slot.name,
      tokens: slot.tokens,
      budget: String(slot.budget),
      note: slot.note ?? '',
      fixed: FIXED.has(slot.name),
    }),
  );
  const loaded = autoLoaded.map(
    ({ path, bytes }): Row => ({
      name: path,
      tokens: tokensOf(bytes),
      budget: '-',
      note: 'loaded by the agent itself',
      fixed: true,
    }),
  );
  const briefTokens = estimateTokens(brief.text);
  const loadedTokens = total(loaded);
  const fixed = [...slots, ...loaded].filter(row => row.fixed);

  const head = { name: 'slot', tokens: 'tokens', budget: 'budget', note: '' };
  const sums = [
    { name: 'brief', tokens: briefTokens, budget: '', note: '' },
    ...(loaded.length > 0 ? [{ name: 'in all', tokens: briefTokens + loadedTokens, budget: '', note: '' }] : []),
    { name: 'fixed part', tokens: total(fixed), budget: String(limit), note: 'the same for every item' },
  ];
  const lines = table([head, ...slots, ...loaded, ...sums]);
  return [...lines, ...leftOut(brief), ...warning(fixed, limit)].join('\n');
}

/** What did not find room, and in which budget. */
function leftOut({ slots }: Brief): readonly string[] {
  const lines = slots
    .filter(({ dropped }) => dropped > 0)
    .map(({ name, dropped, budget, omitted }) => {
      const what = omitted ?? (dropped === 1 ? '1 entry' : `${dropped} entries`);
      return `  ${name}: ${what} (more than its ${plural(budget, 'token')})`;
    });
  return lines.length > 0 ? ['', 'left out:', ...lines] : [];
}

function warning(fixed: readonly Row[], limit: number): readonly string[] {
  const tokens = total(fixed);
  if (tokens <= limit) return [];
  const largest = fixed.toSorted((a, b) => b.tokens - a.tokens).slice(0, 3);
  const names = largest.map(row => `${row.name} (${row.tokens})`).join(', ');
  return [
    '',
    `warning: every iteration pays ${plural(tokens, 'token')} before its item, more than ${limit}. Largest: ${names}.`,
    '  Shorten these files, or leave them out of `context` and let the agent read them when it needs them.',
  ];
}

interface Cells {
  readonly name: string;
  readonly tokens: number | string;
  readonly budget: string;
  readonly note: string;
}

function table(rows: readonly Cells[]): readonly string[] {
  const widest = (key: 'name' | 'tokens' | 'budget') => Math.max(...rows.map(row => String(row[key]).length));
  const [name, tokens, budget] = [widest('name'), widest('tokens'), widest('budget')];
  return rows.map(row =>
    `${row.name.padEnd(name)}  ${String(row.tokens).padStart(tokens)}  ${row.budget.padStart(budget)}  ${row.note}`.trimEnd(),
  );
}

const total = (rows: readonly Row[]): number => rows.reduce((sum, row) => sum + row.tokens, 0);
