/** One archive, ours or another loop's. Nothing in it can make this throw; what is corrupt is named and left alone. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readText } from '../util/files.ts';
import { parseJson } from '../util/json.ts';
import type { Failure, FailureReason } from '../util/result.ts';
import type { SaidLesson } from './lesson.ts';
import { readLearnings, readNotes } from './notes.ts';
import type { RunRecord } from './run-record.ts';

const RECORD = 'run.json';

export type Archive =
  | { readonly type: 'own'; readonly record: RunRecord }
  /** A plan and notes, as the reference loop and people keep them. */
  | {
      readonly type: 'foreign';
      readonly stories: number;
      readonly done: number;
      readonly lessons: readonly SaidLesson[];
    }
  | { readonly type: 'corrupt'; readonly failure: Failure };

/** Names of the folders that may be archives, oldest first. */
export function archiveNames(folder: string): readonly string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries
      .filter(entry => entry.isDirectory() && !entry.name.startsWith('.'))
      .map(entry => entry.name)
      .toSorted();
  } catch {
    return [];
  }
}

/** Whether a folder holds a run of ours. */
export const isOwn = (folder: string): boolean => existsSync(join(folder, RECORD));

/** Undefined for a folder that is no archive. */
export function readArchive(folder: string): Archive | undefined {
  const record = readText(join(folder, RECORD));
  if (record !== undefined) return ownArchive(record, join(folder, RECORD));
  const [plan, progress, learnings] = ['prd.json', 'progress.txt', 'learnings.md'].map(name =>
    readText(join(folder, name)),
  );
  if (plan === undefined && progress === undefined && learnings === undefined) return undefined;
  const stories = plan === undefined ? [] : storiesOf(plan);
  if (!stories) return corrupt('archive-plan', join(folder, 'prd.json'), 'this archived plan is not JSON');
  const lessons = [...readNotes(progress ?? ''), ...readLearnings(learnings ?? '')];
  return { type: 'foreign', stories: stories.length, done: stories.filter(isDone).length, lessons };
}

function ownArchive(text: string, file: string): Archive {
  try {
    const record = JSON.parse(text) as RunRecord;
    if (record.version === 1 && isWhole(record)) return { type: 'own', record };
    return corrupt('archive-record', file, `this is no archived run that this version can read`);
  } catch {
    return corrupt('archive-record', file, 'this archived run cannot be read: it is not whole JSON');
  }
}

const corrupt = (reason: FailureReason, file: string, message: string): Archive => ({
  type: 'corrupt',
  failure: { reason, message, file, hint: 'It is left out. Restore the file, or move the folder away.' },
});

/** Everything that is looked at later has the type it should have. */
function isWhole(record: RunRecord): boolean {
  const numbers = [record.startedAt, record.finishedAt, record.iterations, record.costUsd, record.usage.inputTokens];
  const texts = [record.run, record.reason, record.plan.name];
  return (
    numbers.every(value => Number.isFinite(value)) &&
    texts.every(value => typeof value === 'string') &&
    record.items.every(
      item =>
        typeof item.id === 'string' &&
        typeof item.title === 'string' &&
        item.attempts.every(
          attempt =>
            typeof attempt.verdict === 'string' &&
            Number.isFinite(attempt.costUsd) &&
            [attempt.paths, attempt.shown, attempt.used].every(isTexts),
        ),
    ) &&
    Object.values(record.lessons.shown).every(counts => Object.values(counts).every(value => Number.isFinite(value))) &&
    record.lessons.born.every(lesson => typeof lesson.text === 'string' && typeof lesson.id === 'string')
  );
}

const isTexts = (values: readonly unknown[]): boolean => values.every(value => typeof value === 'string');

type Story = Readonly<Record<string, unknown>>;

function storiesOf(text: string): readonly Story[] | undefined {
  const plan = parseJson(text.replace(/^\uFEFF/, ''));
  if (plan === undefined) return undefined;
  const named = typeof plan === 'object' && plan !== null ? (plan as Story) : {};
  const list = [plan, ...['userStories', 'stories', 'features', 'tasks', 'items'].map(key => named[key])];
  const found = list.find(value => Array.isArray(value)) as readonly unknown[] | undefined;
  return (found ?? []).filter((story): story is Story => typeof story === 'object' && story !== null);
}

const isDone = (story: Story): boolean =>
  story.passes === true || story.done === true || /^(?:done|completed?|passed)$/i.test(String(story.status));
