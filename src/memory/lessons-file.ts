/**
 * `.ralph/lessons.md`: a section per lesson that a person can read, edit, diff and merge. Text in, text out; what is not
 * ours in it survives every edit.
 *
 *     ## L-3fa9c1 gotcha
 *
 *     `npm create` asks questions and hangs -> pass --yes.
 *
 *     - from: run 2026-01-08-payments, US-003
 */
import {
  isPlaceholder,
  kindNamed,
  type Lesson,
  type LessonKind,
  lessonId,
  lessonText,
  type SaidLesson,
} from './lesson.ts';

const HEADING = /^## +(?:(L-[0-9a-f]{4,12})(?![\w-]))?[ \t]*(.*)$/;
const FIELD = /^- (from|failure|retired|promoted): *(.*)$/;
const FENCE = /^\s*(?:`{3,}|~{3,})/;

const HEAD = `# Lessons

What runs and people learned here. A section is one lesson, and its id stays when its words change. A section of your own
needs no id. To forget one for good use \`ralph lessons retire\`: a lesson that is only deleted may be learned again.
`;

/** Every lesson of the file, in its order; the same id twice is one lesson with the sources of both. */
export function parseLessons(text: string): readonly Lesson[] {
  const lessons = new Map<string, Lesson>();
  for (const section of sectionsOf(text)) {
    const lesson = lessonIn(section);
    if (!lesson) continue;
    const known = lessons.get(lesson.id);
    lessons.set(lesson.id, known ? united(known, lesson) : lesson);
  }
  return [...lessons.values()];
}

/** What one text holds that another does not: the words alone, whoever they say they are from. */
export function addedLessons(before: string, after: string): readonly SaidLesson[] {
  const known = new Set(parseLessons(before).map(({ id }) => id));
  return parseLessons(after)
    .filter(({ id }) => !known.has(id))
    .map(({ kind, text }) => ({ kind, text }));
}

/** A file that is being merged is not read: either side may be the one that is meant. */
export const conflictLine = (text: string): number | undefined => {
  const at = /^<{7} .*$[\s\S]*?^>{7} .*$/m.exec(text)?.index;
  return at === undefined ? undefined : text.slice(0, at).split('\n').length;
};

/** The text with more lessons at its end. */
export function withLessons(text: string, lessons: readonly Lesson[]): string {
  if (lessons.length === 0) return text;
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const start = text.trim() === '' ? HEAD : text.endsWith('\n') ? text : `${text}${eol}`;
  const added = lessons.map(lesson => `\n${showLesson(lesson)}`).join('');
  return start + (eol === '\n' ? added : added.replaceAll('\n', eol));
}

/** The text with one lesson's fields rewritten; its words stay as they are. */
export function withFields(text: string, lesson: Lesson): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const lines = text.split('\n');
  const first = lines.findIndex(line => HEADING.exec(line.trimEnd())?.[1] === lesson.id);
  if (first < 0) return text;
  const next = lines.findIndex((line, at) => at > first && HEADING.test(line.trimEnd()));
  const last = next < 0 ? lines.length : next;
  const kept = lines.slice(first, last).filter(line => !FIELD.test(line.trimEnd()));
  while (kept.length > 1 && kept.at(-1)?.trim() === '') kept.pop();
  const end = eol === '\r\n' ? '\r' : '';
  const fields = fieldsOf(lesson).map(line => line + end);
  return [...lines.slice(0, first), ...kept, end, ...fields, end, ...lines.slice(last)].join('\n');
}

function showLesson(lesson: Lesson): string {
  // A text that reads as a list or a heading would not be read back as the lesson's own.
  const body = lesson.text.replace(/^(?=[-#>*+~`]|\d+[.)])/, '\\');
  return [`## ${lesson.id} ${lesson.kind}`, '', body, '', ...fieldsOf(lesson), ''].join('\n');
}

function fieldsOf({ from, failure, retired, promoted }: Lesson): readonly string[] {
  return [
    ...from.map(source => `- from: ${source}`),
    ...(failure === undefined ? [] : [`- failure: ${failure}`]),
    ...(promoted === undefined ? [] : [`- promoted: ${promoted}`]),
    ...(retired === undefined ? [] : [`- retired: ${retired}`]),
  ];
}

interface Section {
  readonly id: string | undefined;
  readonly title: string;
  readonly lines: readonly string[];
}

function sectionsOf(text: string): readonly Section[] {
  const sections: { id: string | undefined; title: string; lines: string[] }[] = [];
  let fenced = false;
  for (const raw of text.split('\n')) {
    const line = raw.trimEnd();
    if (FENCE.test(line)) fenced = !fenced;
    const heading = fenced ? undefined : HEADING.exec(line);
    if (heading) sections.push({ id: heading[1], title: heading[2] ?? '', lines: [] });
    else sections.at(-1)?.lines.push(line);
  }
  return sections;
}

function lessonIn({ id, title, lines }: Section): Lesson | undefined {
  const fields = lines.flatMap(line => {
    const field = FIELD.exec(line);
    return field ? [{ name: field[1] ?? '', value: (field[2] ?? '').trim() }] : [];
  });
  const valueOf = (name: string) => fields.find(field => field.name === name)?.value;
  const [word = '', ...rest] = title.trim().split(/\s+/);
  const kind = kindOf(word);
  // A heading of a person's own belongs to what it stands over.
  const own = (kind ? rest : [word, ...rest]).join(' ').replace(/:$/, '');
  const body = lines
    .filter(line => !FIELD.test(line))
    .join('\n')
    .trim()
    .replace(/^\\(?=[-#>*+~`]|\d+[.)])/, '');
  const text = lessonText(own && body ? `${own}: ${body}` : own || body);
  if (isPlaceholder(body || own)) return undefined;
  const from = fields.filter(field => field.name === 'from').map(field => field.value);
  const [failure, retired, promoted] = ['failure', 'retired', 'promoted'].map(valueOf);
  return {
    id: id ?? lessonId(text),
    kind: kind ?? 'fact',
    text,
    from: from.length > 0 ? from : ['person'],
    ...(failure ? { failure } : {}),
    ...(retired === undefined ? {} : { retired }),
    ...(promoted === undefined ? {} : { promoted }),
  };
}

const kindOf = (word: string): LessonKind | undefined => kindNamed(word.toLowerCase().replace(/[,:]$/, ''));

const united = (a: Lesson, b: Lesson): Lesson => ({ ...b, ...a, from: [...new Set([...a.from, ...b.from])] });
