/** Which sections of a document are its stories. */
import { type Section, sectionsIn } from './document.ts';
import { priorityInHeading, readStoryHeading, type StoryHeading } from './story-heading.ts';
import { isAcceptance, labelOf, labelOfHeading } from './story-labels.ts';

export interface StorySection {
  readonly section: Section;
  /** From a heading above it. */
  readonly priority?: number;
}

/** Chapters that many documents number like their stories. */
const CHAPTER =
  /^(?:introduction|overview|summary|background|context|vision|problem|goals?|non[- ]goals?|objectives?|scope|out of scope|in scope|user stories|stories|features|tasks|functional requirements|non-functional requirements|requirements|technical|design|architecture|data model|api|ui|ux|success|metrics|open questions|questions|risks?|assumptions|constraints|timeline|milestones|glossary|references|appendix|notes?|dependencies|testing|rollout|acceptance criteria|definition of done)\b/i;

/**
 * Sections that are named as stories, or that have acceptance criteria of their own; without any of those, numbered ones
 * that are no chapters. Of two inside each other the inner ones count, unless the outer one has criteria or they are
 * only its steps.
 */
export function findStorySections(root: Section): readonly StorySection[] {
  const named = pick(root, ({ kind }, section) => kind === 'named' || kind === 'part' || hasCriteria(section));
  if (named.length > 0) return named;
  return pick(root, ({ kind, title }, section) => kind === 'numbered' && !CHAPTER.test(title) && !hasChapters(section));
}

type Fits = (heading: StoryHeading, section: Section) => boolean;

function pick(root: Section, fits: Fits): readonly StorySection[] {
  const found: StorySection[] = [];
  const visit = (section: Section, priority: number | undefined) => {
    for (const child of section.children) {
      const heading = readStoryHeading(child.heading);
      const inherited = priorityInHeading(child.heading) ?? priority;
      const inner = innerStories(child, fits);
      const own = fits(heading, child) && !isPart(child) && !isDocument(root, child);
      const isWhole = hasCriteria(child) || inner.every(({ kind }) => kind === 'part');
      if (own && (inner.length === 0 || (isWhole && heading.kind !== 'part'))) {
        found.push({ section: child, ...(priority === undefined ? {} : { priority }) });
      } else visit(child, inherited);
    }
  };
  visit(root, undefined);
  return found;
}

function innerStories(section: Section, fits: Fits): readonly StoryHeading[] {
  return section.children.flatMap(child =>
    [...sectionsIn(child)]
      .filter(inner => !isPart(inner))
      .map(inner => [readStoryHeading(inner.heading), inner] as const)
      .filter(([heading, inner]) => fits(heading, inner))
      .map(([heading]) => heading),
  );
}

/** A field of a story; only "Story" with criteria of its own is one itself. */
const isPart = (section: Section): boolean => {
  const kind = labelOfHeading(section.heading);
  return kind !== undefined && !(kind === 'description' && hasCriteria(section));
};

/** The one heading over all others is the document's, whatever it says. */
const isDocument = (root: Section, section: Section): boolean =>
  root.children.length === 1 &&
  section === root.children[0] &&
  section.children.some(child => labelOfHeading(child.heading) === undefined);

/** Directly, not in a section below that may be a story itself. */
function hasCriteria({ lines, children }: Section): boolean {
  return (
    lines.some(
      line =>
        // Deeper in a list they are those of an entry: the list is of stories then, and its section is none.
        (line.type === 'text' || (line.type === 'entry' && line.indent < 2)) &&
        isAcceptance(line.text) &&
        labelOf(line.text)?.kind === 'criteria',
    ) || children.some(child => isAcceptance(child.heading) && labelOfHeading(child.heading) === 'criteria')
  );
}

const hasChapters = ({ children }: Section): boolean =>
  children.some(child => readStoryHeading(child.heading).kind === 'numbered');
