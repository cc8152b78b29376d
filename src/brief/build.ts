/** The brief: bounded slots in a fixed order. What does not fit is ranked out, never cut in the middle of a sentence. */
import { fill, isWhole, sharedValues } from './fill.ts';
import { fit } from './fit.ts';
import type { Brief, BriefInput, SlotUse } from './slots.ts';
import { SLOTS } from './slots.ts';
import { bytesIn, estimateTokens } from './tokens.ts';

const BETWEEN = '\n\n';

/** The prompt of one iteration. Pure: the same input gives the same text, whatever came before. */
export function buildBrief(input: BriefInput): Brief {
  const shared = sharedValues(input);
  const texts: string[] = [];
  const slots: SlotUse[] = [];
  for (const name of SLOTS) {
    const filling = fill(name, input);
    if (!filling) continue;
    const budget = name === 'item' && (input.plan.repeats || isWhole(input)) ? input.budget.prompt : input.budget[name];
    const { text, dropped } = fit({
      template: input.templates[name],
      ...filling,
      values: { ...shared, ...filling.values },
      maxBytes: bytesIn(budget) - BETWEEN.length,
    });
    if (text === '') continue;
    const tokens = estimateTokens(text + BETWEEN);
    const note = noteOn({ tokens, budget, dropped });
    texts.push(text);
    slots.push({ name, tokens, budget, dropped, ...(note && { note }) });
  }
  return { text: `${texts.join(BETWEEN)}\n`, slots };
}

function noteOn({ tokens, budget, dropped }: Pick<SlotUse, 'tokens' | 'budget' | 'dropped'>): string {
  if (tokens > budget) return 'the template alone is over the budget';
  return dropped > 0 ? `${dropped} ranked out` : '';
}
