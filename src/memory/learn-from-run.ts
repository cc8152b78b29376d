/**
 * A run as memory sees it: fed with every event, live or from the journal of a run that is continued, it learns from what
 * agents said once their item is accepted, from failures that
 * several items got past in the same way, and counts what helped.
 */

import type { Event } from '../events.ts';
import type { Evidence, Verdict } from '../protocol.ts';
import { dayOf } from '../util/clock.ts';
import { oneLine } from '../util/show.ts';
import { failureOf, lessonOf } from './failures.ts';
import { type SaidLesson, tellsMore } from './lesson.ts';
import { type Memory, type MemoryNews } from './memory.ts';
import { countOf } from './run-record.ts';

export interface WatchOptions {
  readonly memory: Memory;
  /** The files an iteration changed. */
  readonly footprint?: (iteration: number) => readonly string[];
}

/** Never throws; a lessons file that cannot be written becomes one of the memory's problems. */
export type Watch = (event: Event, at: number) => readonly MemoryNews[];

interface Failed {
  readonly failure: string;
  readonly line: string;
  readonly paths: readonly string[];
}

interface Open {
  readonly item: string;
  readonly title: string;
  readonly iteration: number;
  evidence?: Evidence;
}

/** An attempt that was accepted after others were not. */
interface Mending {
  readonly item: string;
  readonly source: string;
  readonly iteration: number;
  readonly evidence: Evidence | undefined;
}

/** In as many items as this, the file that went with the end of a failure is its remedy and no accident. */
const ITEMS = 2;

export function watchRun({ memory, footprint = () => [] }: WatchOptions): Watch {
  const shown = new Map<number, readonly string[]>();
  const used = new Map<number, readonly string[]>();
  /** Said in attempts that were not accepted: worth keeping only once the item is. */
  const held = new Map<string, SaidLesson[]>();
  const failed = new Map<string, Failed[]>();
  /** By failure and by the file that got an item past it: the items. */
  const remedies = new Map<string, Map<string, Set<string>>>();
  let run = '';
  const open = new Map<number, Open>();

  const decide = (decided: Open, verdict: Verdict, at: number): readonly MemoryNews[] => {
    const { item, title, iteration, evidence } = decided;
    const ids = shown.get(iteration) ?? [];
    const named = verdict.type === 'rejected' ? failureOf(verdict, evidence) : {};
    const facts = { verdict: verdict.type, used: used.get(iteration) ?? [], at, ...named };
    const won = verdict.type === 'accepted' || verdict.type === 'progress';
    const retired = memory.count({
      item,
      decided: { won: Number(won), lost: Number(verdict.type === 'rejected') },
      lessons: new Map(ids.map(id => [id, countOf(facts, { id, text: memory.lessons.get(id)?.text ?? '' })])),
      ...(named.failure === undefined ? {} : { failure: named.failure }),
      day: dayOf(at),
    });
    if (named.failure !== undefined && named.line !== undefined) {
      const mine = failed.get(item) ?? [];
      failed.set(item, [...mine, { failure: named.failure, line: named.line, paths: footprint(iteration) }]);
    }
    if (!won) return retired;
    const source = `run ${run}, ${oneLine(`${item} ${title}`, 80)}`;
    const said = (held.get(item) ?? []).filter(({ text }) => tellsMore(text, title));
    const born = memory.learn(said, source);
    held.delete(item);
    return [...retired, ...born, ...mended({ item, source, iteration, evidence })];
  };

  const mended = (fix: Mending) => {
    // What a guard asks for once and then takes with a warning was not mended by anything.
    const stays = new Set(fix.evidence?.findings.map(({ rule }) => `guard ${rule}`));
    const mine = (failed.get(fix.item) ?? []).filter(({ failure }) => !stays.has(failure));
    failed.delete(fix.item);
    const touched = new Set(mine.flatMap(({ paths }) => paths));
    const fresh = footprint(fix.iteration).filter(path => !touched.has(path));
    const last = new Map(mine.map(each => [each.failure, each]));
    // More than one new file, and nobody knows which of them it was.
    const [path] = fresh;
    if (path === undefined || fresh.length > 1 || last.size > 1) return [];
    const lessons = [...last.values()].flatMap(({ failure, line }) => {
      const byPath = remedies.get(failure) ?? new Map<string, Set<string>>();
      const items = (byPath.get(path) ?? new Set()).add(fix.item);
      remedies.set(failure, byPath.set(path, items));
      return items.size === ITEMS ? [{ ...lessonOf({ failure, line, path, items: [...items] }), failure }] : [];
    });
    return memory.learn(lessons, fix.source);
  };

  return (event, at) => {
    switch (event.type) {
      case 'run.started':
        run = event.run;
        return [];
      case 'iteration.started':
        open.set(event.iteration, { item: event.item, title: event.title, iteration: event.iteration });
        return [];
      case 'lessons.shown':
        shown.set(event.iteration, event.ids);
        return [];
      case 'lessons.said':
        used.set(event.iteration, event.used);
        held.set(event.item, [...(held.get(event.item) ?? []), ...event.lessons].slice(-40));
        return [];
      case 'evidence':
        Object.assign(open.get(event.iteration) ?? {}, { evidence: event.evidence });
        return [];
      case 'verdict': {
        const decided = open.get(event.iteration);
        open.delete(event.iteration);
        return decided ? decide(decided, event.verdict, at) : [];
      }
      case 'iteration.aborted':
        open.delete(event.iteration);
        return [];
      default:
        return [];
    }
  };
}
