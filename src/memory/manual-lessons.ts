/** What a person does to lessons; their lessons outrank every count. */
import { type Lesson, type LessonKind, lessonText, withSource } from './lesson.ts';
import type { Memory } from './memory.ts';

/** Adds a lesson, or gives the person's word to one that says the same. */
export function addByHand(
  memory: Memory,
  { kind, text: raw, day }: { readonly kind: LessonKind; readonly text: string; readonly day: string },
): { readonly lesson: Lesson; readonly known: boolean } {
  const text = lessonText(raw);
  const source = `person, ${day}`;
  const same = memory.sameAs(text);
  if (same) {
    const { retired: _, ...rest } = same;
    const lesson = { ...rest, from: withSource(same.from, source) };
    memory.lessons.update({ change: [lesson] });
    return { lesson, known: true };
  }
  const lesson: Lesson = { id: memory.freeId(text), kind, text, from: [source] };
  memory.lessons.update({ add: [lesson] });
  return { lesson, known: false };
}

export function retireByHand(memory: Memory, { lesson, day }: { readonly lesson: Lesson; readonly day: string }): void {
  memory.lessons.update({ change: [{ ...lesson, retired: `${day}, by a person` }] });
}

export function promoteByHand(
  memory: Memory,
  { lesson, day }: { readonly lesson: Lesson; readonly day: string },
): void {
  const { retired: _, ...rest } = lesson;
  memory.lessons.update({ change: [{ ...rest, promoted: `${day}, into AGENTS.md` }] });
}
