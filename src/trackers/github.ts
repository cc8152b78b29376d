/** Issues of GitHub, through `gh`. */
import type { PlanSource, SourceChange, SourceIssue, SourcePlace, SourceQuery } from '../protocol.ts';
import { type Failure, fail, ok, type Result } from '../util/result.ts';
import { nearest } from '../util/suggest.ts';
import { labelsFor, STATE_LABELS } from './labels.ts';
import { callProgram, eachOf, type Program, recordsIn, textOf } from './program.ts';

const gh: Program = {
  name: 'gh',
  home: 'https://cli.github.com',
  // 4 is its own code for "authentication required".
  isLogin: (code, said) => code === 4 || /gh auth login/.test(said),
};

const FIELDS = 'number,title,body,labels,milestone,state,url';
const MOST = 1000;

export const github: PlanSource = { scheme: 'github', list, look, tell };

const numberOf = (value: unknown): string => (typeof value === 'number' ? String(value) : textOf(value));

function issueOf(value: Readonly<Record<string, unknown>>): SourceIssue {
  const labels: unknown = value['labels'];
  return {
    id: numberOf(value['number']),
    title: textOf(value['title']),
    body: textOf(value['body']),
    labels: Array.isArray(labels)
      ? labels.flatMap(
          (label: unknown) => textOf(typeof label === 'object' && label && Reflect.get(label, 'name')) || [],
        )
      : [],
    state: textOf(value['state']).toUpperCase() === 'CLOSED' ? 'closed' : 'open',
    url: textOf(value['url']),
  };
}

async function list(query: SourceQuery, place: SourcePlace): Promise<Result<readonly SourceIssue[]>> {
  const { project, label, milestone } = query;
  const said = await callProgram(
    gh,
    [
      ...['issue', 'list', '--repo', project, '--state', 'open', '--limit', String(MOST), '--json', FIELDS],
      ...(label === undefined ? [] : ['--label', label]),
      ...(milestone === undefined ? [] : ['--milestone', milestone]),
    ],
    { place },
  );
  if (!said.ok) return said;
  const read = recordsIn(said.value, 'gh');
  if (!read.ok) return read;
  if (read.value.length === 0) return await nothingOf(query, place);
  return ok(read.value.map(issueOf));
}

/** gh says the same of a label that nobody has and of one that does not exist. */
async function nothingOf({ project, label }: SourceQuery, place: SourcePlace): Promise<Result<readonly SourceIssue[]>> {
  if (label === undefined) return ok([]);
  const args = ['label', 'list', '--repo', project, '--json', 'name', '--limit', String(MOST)];
  const said = await callProgram(gh, args, { place });
  const read = said.ok ? recordsIn(said.value, 'gh') : said;
  if (!read.ok) return read;
  const names = read.value.map(each => textOf(each['name']));
  if (names.some(name => name.toLowerCase() === label.toLowerCase())) return ok([]);
  const near = nearest(label, names);
  return fail<Failure>({
    reason: 'tracker-empty',
    message: `${project} has no label "${label}"`,
    hint: near === undefined ? `Its labels: gh label list --repo ${project}` : `Did you mean '${near}'?`,
  });
}

async function look(
  project: string,
  ids: readonly string[],
  place: SourcePlace,
): Promise<Result<readonly SourceIssue[]>> {
  return await eachOf(ids, async id => {
    const said = await callProgram(gh, ['issue', 'view', id, '--repo', project, '--json', FIELDS], { place });
    if (!said.ok) return /could not resolve|not found/i.test(said.error.message) ? ok(undefined) : said;
    const read = recordsIn(said.value, 'gh');
    return read.ok ? ok(read.value[0] && issueOf(read.value[0])) : read;
  });
}

async function tell(change: SourceChange, place: SourcePlace): Promise<Result<void>> {
  const { project, issue, to, comment, reopen } = change;
  const repo = ['--repo', project];
  const { add, remove } = labelsFor(to);
  if (reopen) {
    const opened = await callProgram(gh, ['issue', 'reopen', issue, ...repo], { place });
    if (!opened.ok) return opened;
  }
  const edit = [
    ...(add === undefined ? [] : ['--add-label', add]),
    ...remove.flatMap(label => ['--remove-label', label]),
  ];
  let edited = await callProgram(gh, ['issue', 'edit', issue, ...repo, ...edit], { place });
  // A label that the repository does not have can neither be given nor taken away.
  if (!edited.ok && /not found/i.test(edited.error.message)) {
    const made = await makeLabels(project, place);
    if (!made.ok) return made;
    edited = await callProgram(gh, ['issue', 'edit', issue, ...repo, ...edit], { place });
  }
  if (!edited.ok) return edited;
  if (comment !== undefined) {
    const said = await callProgram(gh, ['issue', 'comment', issue, ...repo, '--body-file', '-'], {
      place,
      input: comment,
    });
    if (!said.ok) return said;
  }
  if (to !== 'closed') return ok(undefined);
  const closed = await callProgram(gh, ['issue', 'close', issue, ...repo, '--reason', 'completed'], { place });
  return closed.ok ? ok(undefined) : closed;
}

async function makeLabels(project: string, place: SourcePlace): Promise<Result<void>> {
  for (const label of Object.values(STATE_LABELS)) {
    const words = ['--color', 'BFD4F2', '--description', 'What ralph says about this issue', '--force'];
    const made = await callProgram(gh, ['label', 'create', label, '--repo', project, ...words], { place });
    if (!made.ok) return made;
  }
  return ok(undefined);
}
