/**
 * Plans in a row as memory sees them, without processes: an agent that falls into the trap of its item unless its brief
 * carries the lesson, and that does what a lesson says even where it is wrong. It gives up after three attempts.
 */
import { join } from 'node:path';
import { archiveRun } from '../../src/memory/archive.ts';
import { watchRun } from '../../src/memory/learn-from-run.ts';
import type { Lesson } from '../../src/memory/lesson.ts';
import { Memory } from '../../src/memory/memory.ts';
import { journalOf, NOW, scene, type Told } from '../memory/scene.ts';
import { boilerplate, type Story, storiesOf, type Trap } from './traps.ts';

const DAY = 86_400_000;
const ATTEMPTS = 3;

export interface Learner {
  readonly plans: number;
  readonly words?: 'titles' | 'synonyms';
  /** What is in the repository before the first plan. */
  readonly planted?: readonly Lesson[];
  /** Texts that do harm, and what a gate prints about it. */
  readonly harmful?: ReadonlyMap<string, string>;
}

export interface Learned {
  /** Iterations per item, plan by plan. */
  readonly course: readonly number[];
  readonly blocked: readonly string[];
  readonly memory: Memory;
}

export function learn({ plans, words = 'titles', planted = [], harmful = new Map() }: Learner): Learned {
  const { place, lessons } = scene();
  lessons(planted);
  const course: number[] = [];
  const blocked: string[] = [];
  for (let plan = 0; plan < plans; plan++) {
    const run = `2026-01-0${plan + 1}-plan-${plan + 1}`;
    const startedAt = NOW + plan * DAY;
    const memory = new Memory(place);
    const watch = watchRun({ memory });
    const told: Told[] = [];
    let fed = 0;
    const tell = (iteration: Told) => {
      told.push(iteration);
      const records = journalOf({ run, iterations: told, startedAt, unfinished: true });
      for (const record of records.slice(fed)) watch(record, record.at);
      fed = records.length;
    };
    const stories = storiesOf(plan, words);
    const items = stories.map(story => ({ id: story.id, title: story.title, ...boilerplate(story) }));
    for (const [n, story] of stories.entries()) {
      const item = items[n] as (typeof items)[number];
      const show = () => memory.recall({ item, plan: items, budgetTokens: 400, now: startedAt });
      if (!work({ story, show, tell, harmful })) blocked.push(story.id);
    }
    const records = journalOf({ run, iterations: told, startedAt });
    archiveRun({ memory, run, runFolder: join(place.folder, 'runs', run), records, progress: '' });
    memory.close();
    course.push(told.length / stories.length);
  }
  return { course, blocked, memory: new Memory(place) };
}

interface Work {
  readonly story: Story;
  readonly show: () => ReturnType<Memory['recall']>;
  readonly tell: (iteration: Told) => void;
  readonly harmful: ReadonlyMap<string, string>;
}

/** Whether the item was done. */
function work({ story: { id, title, trap }, show, tell, harmful }: Work): boolean {
  let fallen: Trap | undefined;
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const recalled = show();
    const shown = recalled.map(lesson => lesson.id);
    const harm = recalled.find(({ text }) => harmful.has(text));
    const help = recalled.find(({ text }) => text === trap.lesson);
    const base = { item: id, title, shown };
    if (!help && !fallen) {
      fallen = trap;
      tell({ ...base, verdict: 'rejected', tail: `Error: ${trap.symptom}` });
    } else if (harm) tell({ ...base, verdict: 'rejected', tail: `Error: ${harmful.get(harm.text)}`, used: [harm.id] });
    else {
      const said = [...chatter(title), ...(fallen ? [trap.lesson] : [])];
      tell({ ...base, verdict: 'accepted', used: help ? [help.id] : [], said });
      return true;
    }
  }
  return false;
}

/** What agents hand on although nobody needs it: a report, and a fact about the place they were in. */
const chatter = (title: string): readonly string[] => [
  `${title} was done in a few steps, without any surprise on the way.`,
  `The helpers for ${title.split(' ').at(-1)} are in src/${title.split(' ').at(-1)}/helpers.ts, beside their tests.`,
];
