/** OpenSpec: openspec/changes/<change>/tasks.md. Tasks are matched by the tool's own pattern, also in fences and comments. */
import { basename, dirname, join } from 'node:path';
import type { PlanFiles, Problem } from '../../protocol.ts';
import { once } from '../../util/once.ts';
import { readTaskText, slugOf } from '../task-text.ts';
import { type TakenIds, uniqueId } from '../unique-id.ts';
import { type Document, markdownIn, present, rootOf } from './beside.ts';
import type { Line } from './lines.ts';
import { type DialectReading, entryFrom, markdownFormat, type Place } from './markdown-plan.ts';
import { outlineOf, proseAround } from './outline.ts';
import { strays } from './strays.ts';

/** The format of OpenSpec. */
export const openSpec = markdownFormat({
  name: 'openspec',
  isOne: path => /(?:^|[\\/])openspec[\\/]changes[\\/](?:archive[\\/])?[^\\/]+[\\/]tasks\.md$/.test(path),
  inFolder: ['tasks.md'],
  read,
  nameOf: path => basename(dirname(path)),
  tick: 'x',
  documents,
  empty: 'the file holds no task such as "- [ ] 1.1 do this", and OpenSpec counts nothing else',
});

/** The tool counts every such line: to it, losing a task is worse than counting an example. */
const isTask = ({ box }: Line): boolean =>
  box !== undefined && (box.bullet === '-' || box.bullet === '*') && ' xX'.includes(box.mark) && box.mark !== '';

function read(lines: readonly Line[], place: Place): DialectReading {
  const outline = outlineOf(lines, isTask);
  const problems: Problem[] = [
    ...strays(
      lines.filter(line => line.box !== undefined && line.hidden === undefined && !isTask(line)),
      'OpenSpec counts "- [ ]" and "- [x]" alone',
    ),
  ];
  if (place && /[\\/]changes[\\/]archive[\\/]/.test(place.path)) {
    const message = 'OpenSpec has archived this change; put the rest of it into a new change';
    problems.push({ level: 'error', line: 1, column: 1, message });
  }
  const taken: TakenIds = new Map();
  const entries = outline.tasks.map(owned => {
    const words = readTaskText(owned.line.box?.text ?? '');
    const wanted = words.id ?? slugOf(words.title);
    const id = uniqueId(taken, wanted, '-');
    if (words.id !== undefined && id !== wanted) {
      const message = `the id "${wanted}" is used more than once; this one is "${id}"`;
      problems.push({ level: 'warning', line: owned.line.number, column: 1, message });
    }
    const section = once(() => proseAround(owned));
    return entryFrom({
      owned,
      id,
      marks: {},
      more: {
        get section() {
          return section();
        },
      },
    });
  });
  if (place && entries.length > 0 && entries.every(({ item }) => item.status === 'done')) {
    const message = `all tasks are done; to close the change: openspec archive ${basename(dirname(place.path))}`;
    problems.push({ level: 'warning', line: 1, column: 1, message });
  }
  return { entries, problems, about: outline.about };
}

function documents(path: string, files: PlanFiles): readonly Document[] {
  const folder = dirname(path);
  const top = join(folder, '..', '..');
  return present({ root: rootOf(path, files, join(top, '..')), files }, [
    [join(folder, 'proposal.md'), 'proposal'],
    [join(folder, 'design.md'), 'design'],
    ...markdownIn(join(folder, 'specs'), files).map(file => [file, 'specification'] as const),
    [join(top, 'project.md'), 'project'],
    [join(top, 'config.yaml'), 'project'],
  ]);
}
