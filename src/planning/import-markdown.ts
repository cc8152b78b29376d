/** A free-form Markdown document to items, by rules alone: the same text gives the same plan on every machine. */
import { type TakenIds, uniqueId } from '../plan/index.ts';
import type { Item } from '../protocol.ts';
import { oneLine } from '../util/show.ts';
import { rawOf, readDocument, type Section, sectionsIn } from './document.ts';
import { dependencyReader } from './import-dependencies.ts';
import { readTaskBoxes } from './import-tasks.ts';
import { type Lost, lostLines } from './lost.ts';
import { type RawStory, readStory } from './story.ts';
import { readStoryHeading } from './story-heading.ts';
import { findStorySections, type StorySection } from './story-sections.ts';

export interface Imported {
  readonly project: string;
  readonly description: string;
  readonly items: readonly Item[];
  /** In the order of the document. */
  readonly notCarried: readonly Lost[];
  /** What a person should look at, although it is carried. */
  readonly remarks: readonly string[];
}

/** Stories by headings; where there is none, the task boxes. Never throws. */
export function importMarkdown(text: string): Imported {
  const isHeading = (bold: string) => {
    const { kind, id } = readStoryHeading(bold);
    return kind === 'named' && id !== undefined;
  };
  const root = readDocument(text, { isHeading });
  const found = findStorySections(root);
  const stories = found.map(({ section, priority }): RawStory => {
    const story = readStory(section);
    return priority === undefined || story.priority !== undefined ? story : { ...story, priority };
  });
  const first = root.children[0];
  const named = found.some(({ section }) => section === first) ? undefined : first;
  const project = projectOf(named?.heading ?? '');
  if (stories.length === 0 || isChecklist(root, found, stories)) {
    const read = readTaskBoxes(text);
    return { project: projectOf(read.heading), ...read, remarks: remarksOn(read.items) };
  }
  const description = named ? introOf(named) : '';
  const { items, remarks } = identified(stories);
  const inside = new Set(found.flatMap(({ section }) => [...sectionsIn(section)]));
  const notCarried = [
    ...stories.flatMap(story => story.lost),
    ...outside({ root, inside, named, hasIntro: description !== '' }),
  ];
  return {
    project,
    description,
    items,
    notCarried: notCarried.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0)),
    remarks: [...remarks, ...remarksOn(items)],
  };
}

const projectOf = (heading: string): string =>
  oneLine(heading.replace(/^(?:prd|product requirements(?: document)?)[ \t]*[:–—-][ \t]*/i, ''), 200);

/** More boxes stand outside the stories than there are criteria in them: then the boxes are the tasks. */
function isChecklist(root: Section, found: readonly StorySection[], stories: readonly RawStory[]): boolean {
  const boxes = (section: Section) =>
    section.lines.filter(line => line.type === 'entry' && line.mark !== undefined).length;
  const inside = new Set(found.flatMap(({ section }) => [...sectionsIn(section)]));
  const outside = [...sectionsIn(root)]
    .filter(section => !inside.has(section))
    .reduce((sum, section) => sum + boxes(section), 0);
  return outside > stories.reduce((sum, { criteria }) => sum + criteria.length, 0);
}

/** The text right under the document's title says what all of it is for. */
function introOf(section: Section): string {
  return section.lines
    .filter(line => line.type !== 'hidden')
    .map(rawOf)
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

interface Outside {
  readonly root: Section;
  readonly inside: ReadonlySet<Section>;
  readonly named: Section | undefined;
  readonly hasIntro: boolean;
}

/** Every line that belongs to no story. */
function outside({ root, inside, named, hasIntro }: Outside): readonly Lost[] {
  return [...sectionsIn(root)]
    .filter(section => !inside.has(section))
    .flatMap(section => {
      const carried = hasIntro && section === named;
      const lines = section.lines.filter(line => !carried || line.type === 'hidden');
      const heading =
        section === named || section.heading === '' ? [] : [{ line: section.line, text: section.heading }];
      return lostLines([...heading, ...lines.map(line => ({ line: line.line, text: rawOf(line) }))]);
    });
}

function identified(stories: readonly RawStory[]): Pick<Imported, 'items' | 'remarks'> {
  const taken: TakenIds = new Map();
  const remarks: string[] = [];
  const explicit = new Set(stories.flatMap(({ id }) => id ?? []));
  let next = 1;
  const nextFree = () => {
    while (explicit.has(idOfNumber(String(next))) || taken.has(idOfNumber(String(next)))) next++;
    return idOfNumber(String(next));
  };
  const named = stories.map(story => {
    if (story.id !== undefined) {
      const id = uniqueId(taken, story.id, '-');
      if (id !== story.id)
        remarks.push(`line ${story.line}: the id ${story.id} is used more than once; this one is ${id}`);
      return { ...story, id };
    }
    const numbered = story.number === undefined ? '' : idOfNumber(story.number);
    const wanted = numbered === '' || explicit.has(numbered) ? nextFree() : numbered;
    return { ...story, id: uniqueId(taken, wanted, '-') };
  });
  const dependencies = dependencyReader(named);
  const items = named.map((story): Item => {
    const { dependsOn, unresolved, words } = dependencies(story);
    remarks.push(
      ...unresolved.map(({ line, text }) => `line ${line}: "${oneLine(text, 60)}" names no story; it is kept as text`),
    );
    const kept = words.map(text => `Depends on: ${text}`);
    return {
      id: story.id,
      title: story.title || story.id,
      status: story.status,
      ...(story.priority === undefined ? {} : { priority: story.priority }),
      dependsOn,
      line: story.line,
      body: [story.body, ...kept].filter(Boolean).join('\n\n'),
      criteria: story.criteria,
      verify: story.verify,
      changeOptional: false,
    };
  });
  return { items, remarks };
}

const idOfNumber = (number: string): string =>
  /^\d+$/.test(number) ? `US-${number.padStart(3, '0')}` : `US-${number}`;

function remarksOn(items: readonly Item[]): readonly string[] {
  const bare = items.filter(item => item.criteria.length === 0).map(({ id }) => id);
  const some = items.filter(item => item.priority === undefined);
  return [
    ...(bare.length > 0 ? [`without acceptance criteria: ${bare.join(', ')}`] : []),
    ...(some.length > 0 && some.length < items.length
      ? [`without a priority, and so after all that have one: ${some.map(({ id }) => id).join(', ')}`]
      : []),
  ];
}
