/** The archives view: what finished runs left for later ones. */
import { join } from 'node:path';
import { type Archive, archiveNames, type RunRecord, readArchive } from '../memory/index.ts';
import type { Project } from '../start/index.ts';
import { lookAt } from '../util/version.ts';
import { errorView } from './run-row.ts';
import { letterOf } from './tape.ts';
import type { ArchiveRowView, ArchivesView, ArchiveView } from './types/repository.ts';

/** Each archive is read once, because archives do not change. */
export interface Archives {
  list(): ArchivesView;
  one(name: string): ArchiveView | undefined;
  /** Archives written by Ralph, oldest first. */
  records(): readonly RunRecord[];
}

/** Only the newest are listed; older ones are in their folder. */
const MOST = 300;

export function openArchives({ repository, settings }: Project): Archives {
  const folder = join(repository.root, settings.archive?.folder ?? 'archives');
  const known = new Map<
    string,
    { readonly version: string; readonly row: ArchiveRowView; readonly record: RunRecord | undefined }
  >();
  // A link in the place of an archive leads elsewhere, so it is not followed.
  const names = (): readonly string[] =>
    archiveNames(folder)
      .filter(name => lookAt(join(folder, name))?.isDirectory())
      .slice(-MOST);
  const entry = (name: string) => {
    const stat = lookAt(join(folder, name, 'run.json'));
    const version = stat ? `${stat.ino} ${stat.size} ${stat.mtimeMs}` : '';
    const before = known.get(name);
    if (before && before.version === version && version !== '') return before;
    const archive = stat && !stat.isFile() ? undefined : readArchive(join(folder, name));
    const made = {
      version,
      row: rowOf(name, archive),
      record: archive?.type === 'own' ? slim(archive.record) : undefined,
    };
    known.set(name, made);
    return made;
  };
  return {
    list: () => ({
      archives: names()
        .toReversed()
        .map(name => entry(name).row),
    }),
    records: () =>
      names()
        .flatMap(name => entry(name).record ?? [])
        .toSorted((a, b) => a.startedAt - b.startedAt),
    one: name => {
      if (!names().includes(name)) return undefined;
      const stat = lookAt(join(folder, name, 'run.json'));
      const archive = stat && !stat.isFile() ? undefined : readArchive(join(folder, name));
      return { ...rowOf(name, archive), ...detailOf(archive) };
    },
  };
}

/** The part of a record that the plots need: no paths, no output. */
const slim = (record: RunRecord): RunRecord => ({
  ...record,
  items: record.items.map(item => ({
    ...item,
    attempts: item.attempts.map(attempt => ({ ...attempt, paths: [], shown: [], used: [] })),
  })),
});

function rowOf(name: string, archive: Archive | undefined): ArchiveRowView {
  const nothing = { name, run: null, plan: '', startedAt: null, finishedAt: null, reason: null, items: 0, done: 0 };
  const none = { ...nothing, iterations: 0, costUsd: 0, problem: null };
  switch (archive?.type) {
    case undefined:
      return none;
    case 'corrupt':
      return { ...none, problem: errorView(archive.failure) };
    case 'foreign':
      return { ...none, items: archive.stories, done: archive.done };
    case 'own': {
      const { record } = archive;
      return {
        name,
        run: record.run,
        plan: record.plan.name,
        startedAt: record.startedAt,
        finishedAt: record.finishedAt,
        reason: record.reason,
        items: record.items.length,
        done: record.items.filter(({ status }) => status === 'done').length,
        iterations: record.iterations,
        costUsd: record.costUsd,
        problem: null,
      };
    }
  }
}

function detailOf(archive: Archive | undefined): Omit<ArchiveView, keyof ArchiveRowView> {
  if (archive?.type !== 'own') {
    return { why: '', branch: null, rows: [], lessons: archive?.type === 'foreign' ? archive.lessons : [] };
  }
  const { record } = archive;
  return {
    why: record.why,
    branch: record.branch,
    rows: record.items.map(({ id, title, status, why, commit, attempts }) => ({
      id,
      title,
      status,
      why,
      tape: attempts.map(({ verdict }) => letterOf(verdict)).join(''),
      commit: commit ?? null,
    })),
    lessons: record.lessons.born.map(({ kind, text }) => ({ kind, text })),
  };
}
