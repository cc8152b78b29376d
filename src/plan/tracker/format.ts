/**
 * Issues of a tracker, read from the copy in .ralph/trackers. The copy holds what the tracker says and takes no marks:
 * marks go to the journal, and the mirror sends them to the tracker from there.
 */
import { basename, dirname } from 'node:path';
import type { Item, ItemStatus, NewItem, Plan, PlanFiles, PlanFormat, Problem, SourceIssue } from '../../protocol.ts';
import { type Failure, fail, ok } from '../../util/result.ts';
import { checkDependencies } from '../dependencies.ts';
import { textDocument } from '../document.ts';
import { inOrder, wholePlan } from '../lazy-plan.ts';
import { readCopy, type TrackerCopy } from './copy.ts';
import { blockedLabel, blockersIn, priorityIn } from './links.ts';

export const tracker: PlanFormat = {
  name: 'tracker',
  find,
  parse: (text, path) => textDocument(text, words => ({ plan: parse(words, path), mark: () => ok(words), append })),
};

const append = ({ title }: NewItem) =>
  fail<Failure>({
    reason: 'cannot-append',
    message: 'the items of this plan are issues of a tracker; none is added here',
    hint: `Open an issue there: ${title}`,
  });

function find(path: string, files: PlanFiles): string | undefined {
  const isCopy = basename(dirname(path)) === 'trackers' && basename(dirname(dirname(path))) === '.ralph';
  return isCopy && path.endsWith('.json') && !files.isFolder(path) ? path : undefined;
}

function parse(text: string, path: string): Plan {
  const copy = readCopy(text);
  const whole = { format: 'tracker', path, instructions: '', repeats: false, marks: 'journal' } as const;
  if (!copy) {
    const message = 'this copy of a tracker is damaged; fetch it again: ralph sync';
    const problems: readonly Problem[] = [{ level: 'error', line: 1, column: 1, message }];
    return wholePlan({ ...whole, name: 'tracker', items: [], problems });
  }
  const lines = linesOf(text);
  const items = copy.issues.map(issue => itemOf(issue, { copy, line: lines.get(issue.id) ?? 1 }));
  const none: readonly Problem[] =
    items.length > 0 ? [] : [{ level: 'error', line: 1, column: 1, message: `${copy.tracker} has no issues` }];
  return wholePlan({
    ...whole,
    name: copy.tracker,
    items,
    problems: inOrder([...none, ...checkDependencies(items)]),
    about: `The items of this plan are issues of \`${copy.tracker}\`.`,
  });
}

/** The line of each issue; `writeCopy` puts each id on its own line. */
function linesOf(text: string): ReadonlyMap<string, number> {
  const lines = new Map<string, number>();
  for (const [index, line] of text.split('\n').entries()) {
    const id = /^ {6}"id": "([^"]+)",?$/.exec(line)?.[1];
    if (id !== undefined && !lines.has(id)) lines.set(id, index + 1);
  }
  return lines;
}

function itemOf(issue: SourceIssue, { copy, line }: { readonly copy: TrackerCopy; readonly line: number }): Item {
  const { id, title, body, labels } = issue;
  const waits = (issue.blockedBy ?? blockersIn(issue)).filter(other => other !== id);
  const own = new Set(copy.issues.map(other => other.id));
  const outside = waits.find(other => !own.has(other) && copy.elsewhere[other] !== 'closed');
  const { status, note } = statusOf(issue, { copy, outside });
  const priority = issue.priority ?? priorityIn(labels);
  return {
    id,
    title: title.trim() || `Issue ${id}`,
    status,
    ...(priority === undefined ? {} : { priority }),
    dependsOn: waits.filter(other => own.has(other)),
    line,
    body,
    criteria: [],
    // Anybody can write an issue, so a command from it must not be run.
    verify: [],
    changeOptional: false,
    data: true,
    ...(note === undefined ? {} : { note }),
  };
}

function statusOf(
  { id, labels, state }: SourceIssue,
  { copy, outside }: { readonly copy: TrackerCopy; readonly outside: string | undefined },
): { readonly status: ItemStatus; readonly note?: string } {
  if (state === 'closed') return { status: 'done' };
  if (copy.left.includes(id)) return { status: 'skipped', note: `it is no longer part of ${copy.tracker}` };
  const label = blockedLabel(labels);
  if (label !== undefined) return { status: 'blocked', note: `its label is "${label}"` };
  if (outside === undefined) return { status: 'pending' };
  const why = copy.elsewhere[outside] === 'open' ? 'is open and not in this plan' : 'could not be read';
  return { status: 'blocked', note: `it waits for #${outside}, which ${why}` };
}
