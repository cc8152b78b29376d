/** `ralph archive` */
import { join } from 'node:path';
import { storeOf } from '../journal/index.ts';
import type { ArchiveRow } from '../memory/index.ts';
import { wrapText } from '../report/index.ts';
import { readText } from '../util/files.ts';
import { oneLine, plain, plural, showCost } from '../util/show.ts';
import { nearest } from '../util/suggest.ts';
import { type Handler, switchFlag } from './command.ts';
import { type MemoryHere, memoryHere } from './memory-here.ts';
import { columnsOf, complain, print } from './print.ts';

export const archive: Handler = async call => {
  const [what = 'list', id] = call.args;
  const json = switchFlag(call, 'json');
  if (what !== 'list' && what !== 'show') {
    return complain({
      reason: 'usage',
      message: `ralph archive has no "${what}"`,
      hint: 'There are: ralph archive list, ralph archive show <id>',
    });
  }
  if (what === 'show' && id === undefined)
    return complain({ reason: 'usage', message: 'ralph archive show needs an id', hint: 'See: ralph archive list' });
  const here = await memoryHere();
  if (!here.ok) return complain(here.error, 4);
  const { memory, project } = here.value;
  const rows = memory.past.rows.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  if (what === 'list') {
    if (json) print(JSON.stringify(rows, undefined, 2));
    else show([...(rows.length === 0 ? ['No archives.'] : rows.map(showRow)), ...notOver(here.value)].join('\n'));
    return 0;
  }
  const found = rows.find(row => names(row).includes(id ?? ''));
  if (!found) {
    const near = nearest(id ?? '', rows.flatMap(names));
    return complain(
      {
        reason: 'no-archive',
        message: `there is no archive ${id}`,
        hint: near ? `Did you mean ${near}?` : 'See: ralph archive list',
      },
      1,
    );
  }
  const folder = join(project.repository.root, found.path);
  const [record, learnings, progress] = ['run.json', 'learnings.md', 'progress.txt'].map(name =>
    readText(join(folder, name)),
  );
  if (json) print(record ?? JSON.stringify(found, undefined, 2));
  else show(`${showRow(found)}\n\n${plain(learnings ?? progress ?? '')}`);
  return 0;
};

function show(text: string): void {
  const columns = columnsOf();
  print(columns === undefined ? text : wrapText(text, columns));
}

/** Runs that stopped with work left: `ralph run` resumes them, and the start of another run archives them. */
function notOver({ project, memory }: MemoryHere): readonly string[] {
  const left = storeOf(project.folder)
    .runs()
    .filter(run => !memory.past.endOf(run));
  return left.length === 0 ? [] : [`Not archived, because not over: ${left.slice(0, 5).join(', ')}`];
}

/** Names of an archive: its path, the folder's name, and the run's id. */
const names = ({ path, figures }: ArchiveRow): readonly string[] => [
  path,
  path.slice(path.lastIndexOf('/') + 1),
  ...(figures ? [figures.run] : []),
];

function showRow({ path, stories, done, lessons, figures, end }: ArchiveRow): string {
  const facts = [
    `${done} of ${plural(stories, 'item')} done`,
    ...(end && end.reason !== 'complete' ? [`ended as ${plain(end.reason)}`] : []),
    plural(lessons, 'lesson'),
    ...(figures && figures.items > 0 ? [`${(figures.iterations / figures.items).toFixed(2)} iterations per item`] : []),
    ...(figures && figures.costUsd > 0 ? [showCost(figures.costUsd)] : []),
  ];
  return `${oneLine(path, 80)}: ${facts.join(', ')}`;
}
