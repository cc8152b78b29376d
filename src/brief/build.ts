/** The brief: bounded slots in a fixed order. What does not fit is ranked out, never cut in the middle of a sentence. */
import { fill, isCitable, isWhole, sharedValues } from './fill.ts';
import { fit } from './fit.ts';
import { type Brief, type BriefInput, SLOTS, type SlotName, type SlotUse } from './slots.ts';
import { byteLength, bytesIn, tokensOf } from './tokens.ts';

const BETWEEN = '\n\n';

/** The prompt of one iteration. Pure: the same input gives the same text, whatever came before. */
export function buildBrief(input: BriefInput): Brief {
  const built = new Map<SlotName, Built>();
  for (const name of SLOTS) if (name !== 'lessons') add(built, { input, name, budget: budgetOf(input, name) });
  add(built, { input, name: 'lessons', budget: Math.min(input.budget.lessons, roomForLessons(built)) });
  const shown = built.get('lessons')?.text ?? '';
  const lessons = input.lessons.filter(lesson => isCitable(lesson) && shown.includes(`**${lesson.id}**`));
  // The form has a line for lessons only where there are some.
  add(built, { input: { ...input, lessons }, name: 'claim', budget: budgetOf(input, 'claim') });
  const slots = SLOTS.flatMap(name => built.get(name) ?? []);
  return {
    text: `${slots.map(slot => slot.text).join(BETWEEN)}\n`,
    slots: slots.map(slot => slot.use),
    lessons: lessons.map(({ id }) => id),
  };
}

interface Built {
  readonly text: string;
  readonly use: SlotUse;
}

interface SlotRequest {
  readonly input: BriefInput;
  readonly name: SlotName;
  readonly budget: number;
}

const budgetOf = (input: BriefInput, name: SlotName): number =>
  name === 'item' && (input.plan.repeats || isWhole(input)) ? input.budget.prompt : input.budget[name];

function add(built: Map<SlotName, Built>, { input, name, budget }: SlotRequest): void {
  const filling = fill(name, input);
  if (!filling) return;
  const { text, dropped, omitted } = fit({
    template: input.templates[name],
    ...filling,
    values: { ...sharedValues(input), ...filling.values },
    maxBytes: bytesIn(budget) - BETWEEN.length,
  });
  // Lessons without a single lesson in them are only words about lessons.
  if (text === '' || (name === 'lessons' && dropped === input.lessons.length)) return;
  const bytes = byteLength(text + BETWEEN);
  const tokens = tokensOf(bytes);
  const note = noteOn({ tokens, budget, dropped });
  built.set(name, {
    text,
    use: { name, tokens, bytes, budget, dropped, ...(note && { note }), ...(omitted && { omitted }) },
  });
}

/** What a run and its memory add may not make a brief longer than one and a half times what it is without them. */
function roomForLessons(built: ReadonlyMap<SlotName, Built>): number {
  const grown: readonly SlotName[] = ['position', 'dependencies', 'progress'];
  let [base, growth] = [0, 0];
  for (const [name, { use }] of built) {
    if (grown.includes(name)) growth += use.tokens;
    else if (name !== 'feedback') base += use.tokens;
  }
  return Math.max(0, Math.floor(base / 2) - growth);
}

function noteOn({ tokens, budget, dropped }: Pick<SlotUse, 'tokens' | 'budget' | 'dropped'>): string {
  if (tokens > budget) return 'the template alone is over the budget';
  return dropped > 0 ? `${dropped} ranked out` : '';
}
