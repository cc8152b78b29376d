/** Backlog.md: a folder with a file for each task; the state of a task is in the front matter of its file. */

import { basename, dirname, join, relative } from 'node:path';
import type { Mark, NewItem, NewText, Plan, PlanFiles, PlanFormat, PlanPlace } from '../../protocol.ts';
import { type Failure, fail, ok, type Result } from '../../util/result.ts';
import { checkDependencies } from '../dependencies.ts';
import { textDocument } from '../document.ts';
import { inOrder, wholePlan } from '../lazy-plan.ts';
import { unknownItem } from '../named-item.ts';
import { markTask } from './backlog-edit.ts';
import { readBacklog } from './backlog-tasks.ts';
import { type Document, markdownIn, present, rootOf } from './beside.ts';
import { settingsOf } from './front-matter.ts';

/** The format of Backlog.md. */
export const backlog: PlanFormat = {
  name: 'backlog',
  find,
  parse: (text, path, files) =>
    textDocument(text, config => {
      const reading = read(config, { path, files });
      return {
        plan: planOf(reading, { config, path, files }),
        // The state of a task is in its own file.
        mark: () => ok(config),
        markFiles: mark => markFiles(reading, mark),
        append,
      };
    }),
};

const append = ({ title }: NewItem) =>
  fail<Failure>({
    reason: 'cannot-append',
    message: 'a task of Backlog.md is a separate file, so Ralph adds none',
    hint: `Add it there: backlog task create ${JSON.stringify(title)}`,
  });

/** The path of its config file; a folder is recognised by the config file in it. */
function find(path: string, files: PlanFiles): string | undefined {
  const name = basename(path);
  if (!files.isFolder(path)) {
    const isHome = name === 'config.yml' && /^\.?backlog$/.test(basename(dirname(path)));
    return (isHome || name === 'backlog.config.yml') && files.isFolder(join(folderOf(path, files), 'tasks'))
      ? path
      : undefined;
  }
  const home = name === 'tasks' ? dirname(path) : path;
  if (!/^\.?backlog$/.test(basename(home))) return undefined;
  const config = join(home, 'config.yml');
  return files.list(home).includes('config.yml') ? find(config, files) : undefined;
}

function folderOf(path: string, files: PlanFiles): string {
  if (basename(path) === 'config.yml') return dirname(path);
  const named = settingsOf(files.read(path) ?? '').get('backlog_directory')?.value;
  return join(dirname(path), named === undefined || named === '' ? 'backlog' : named);
}

const read = (text: string, { path, files }: PlanPlace) =>
  readBacklog({ config: settingsOf(text), folder: folderOf(path, files), plan: path, files });

function planOf(
  { items, problems }: ReturnType<typeof read>,
  { config, path, files }: PlanPlace & { readonly config: string },
): Plan {
  const plan = wholePlan({
    format: 'backlog',
    path,
    name: settingsOf(config).get('project_name')?.value || 'backlog',
    items,
    problems: inOrder([...problems, ...checkDependencies(items)]),
    instructions: '',
    repeats: false,
  });
  return { ...plan, documents: documents(path, files) };
}

/** Writes what the tool's own command writes: status, ticks of the criteria, date. It has no word for blocked or skipped. */
function markFiles({ tasks, statuses, items }: ReturnType<typeof read>, mark: Mark): Result<readonly NewText[]> {
  const task = tasks.find(({ id }) => id === mark.id);
  const known = items.map(({ id }) => id);
  if (!task) return fail(unknownItem(mark.id, known));
  if (mark.to !== 'done' && mark.to !== 'pending') return ok([]);
  const status = mark.to === 'done' ? statuses.at(-1) : statuses[0];
  const text = markTask({ text: task.text, status: status ?? 'Done', done: mark.to === 'done', at: mark.at });
  return ok(text === task.text ? [] : [{ path: task.path, text }]);
}

function documents(path: string, files: PlanFiles): readonly Document[] {
  const folder = folderOf(path, files);
  const root = rootOf(path, files, dirname(folder));
  const inside = (name: string, role: string) =>
    markdownIn(join(folder, name), files).map(file => [file, role] as const);
  return present({ root, files }, [...inside('decisions', 'decision'), ...inside('docs', 'document')]).filter(
    ({ path: file }) => relative(root, path) !== file,
  );
}
