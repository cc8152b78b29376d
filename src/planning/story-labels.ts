/** Lines such as "**Priority:** P1" inside a story. */

export type LabelKind = 'criteria' | 'priority' | 'depends' | 'verify' | 'status' | 'description' | 'id' | 'title';

export interface Label {
  readonly kind: LabelKind;
  readonly value: string;
}

const WORDS: Readonly<Record<LabelKind, string>> = {
  criteria:
    'acceptance criteria|acceptance criterion|acceptance|criteria|ac|done when|definition of done|acceptance scenarios|acceptance tests|success criteria',
  priority: 'priority|prio',
  depends: 'depends on|depends|dependencies|dependency|blocked by|requires|prerequisites|prerequisite',
  verify: 'verify|verify commands?|verification commands?|check commands?|test commands?',
  status: 'status|state',
  description: 'description|story|user story',
  id: 'id|story id|task id',
  title: 'title|name',
};

const KINDS = Object.entries(WORDS).map(
  ([kind, words]) => [kind as LabelKind, new RegExp(`^(?:${words})$`, 'i')] as const,
);

const LINE =
  /^(?:\*\*|__)?([A-Za-z][A-Za-z ]{0,30}?)(?:\*\*|__)?[ \t]*(?:\([^)]*\))?[ \t]*:[ \t]*(?:\*\*|__)?[ \t]*(.*)$/;
const ALONE = /^(?:\*\*|__)([A-Za-z][A-Za-z ]{0,30}?)(?:\*\*|__)$/;

/** `Depends on US-001 and US-002.`: a sentence that names nothing but stories. */
const SENTENCE =
  /^(?:\*\*|__)?(depends on|blocked by)(?:\*\*|__)?[ \t]+((?:story |task )?(?:[A-Z]+-)?\d[\w.-]*(?:(?:,|,? and|,? &)[ \t]+(?:story |task )?(?:[A-Z]+-)?\d[\w.-]*)*?)\.?$/i;

/** The label a line starts with, if it is one that means something here. */
export function labelOf(text: string): Label | undefined {
  const found = LINE.exec(text) ?? ALONE.exec(text) ?? SENTENCE.exec(text);
  const kind = found && kindOf(found[1] ?? '');
  return kind ? { kind, value: (found[2] ?? '').trim() } : undefined;
}

/** The meaning of a sub-heading inside a story. */
export const labelOfHeading = (heading: string): LabelKind | undefined => kindOf(heading.replace(/:$/, ''));

const kindOf = (words: string): LabelKind | undefined => KINDS.find(([, known]) => known.test(words.trim()))?.[0];

/** Words that make a section a story by themselves; a definition of done may as well be a chapter. */
export const isAcceptance = (text: string): boolean => /^[-*_#\d.)\s]*(?:acceptance\b|done when\b)/i.test(text);

/** Commands written as code: the only ones that are certain to be commands. */
export function commandsIn(value: string): readonly string[] {
  const whole = value.replace(/`[^`]+`/g, '').replace(/\b(?:and|then)\b|[,;.&\s]/gi, '');
  if (whole !== '') return [];
  return [...value.matchAll(/`([^`]+)`/g)].flatMap(([, command]) => command?.trim() || []);
}
