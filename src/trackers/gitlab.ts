/** Issues of GitLab, through `glab`. */
import type { PlanSource, SourceChange, SourceIssue, SourcePlace, SourceQuery } from '../protocol.ts';
import { ok, type Result } from '../util/result.ts';
import { labelsFor } from './labels.ts';
import { callProgram, eachOf, type Program, recordsIn, textOf } from './program.ts';

const glab: Program = {
  name: 'glab',
  home: 'https://gitlab.com/gitlab-org/cli',
  isLogin: (_code, said) => /glab auth login|\b401\b|not logged in|unauthorized/i.test(said),
};

/** The most that GitLab gives at once. */
const PAGE = 100;
const PAGES = 10;

export const gitlab: PlanSource = { scheme: 'gitlab', list, look, tell };

function issueOf(value: Readonly<Record<string, unknown>>): SourceIssue {
  const labels: unknown = value['labels'];
  return {
    id: String(Number(value['iid'])),
    title: textOf(value['title']),
    body: textOf(value['description']),
    labels: Array.isArray(labels) ? labels.map(textOf).filter(Boolean) : [],
    state: value['state'] === 'closed' ? 'closed' : 'open',
    url: textOf(value['web_url']),
  };
}

async function list(
  { project, label, milestone }: SourceQuery,
  place: SourcePlace,
): Promise<Result<readonly SourceIssue[]>> {
  const found: SourceIssue[] = [];
  for (let page = 1; page <= PAGES; page++) {
    const said = await callProgram(
      glab,
      [
        ...['issue', 'list', '--repo', project, '--output', 'json', '--per-page', String(PAGE), '--page', String(page)],
        ...(label === undefined ? [] : ['--label', label]),
        ...(milestone === undefined ? [] : ['--milestone', milestone]),
      ],
      { place },
    );
    const read = said.ok ? recordsIn(said.value, 'glab') : said;
    if (!read.ok) return read;
    found.push(...read.value.map(issueOf));
    if (read.value.length < PAGE) break;
  }
  return ok(found);
}

async function look(
  project: string,
  ids: readonly string[],
  place: SourcePlace,
): Promise<Result<readonly SourceIssue[]>> {
  return await eachOf(ids, async id => {
    const said = await callProgram(glab, ['issue', 'view', id, '--repo', project, '--output', 'json'], { place });
    if (!said.ok) return /\b404\b|not found/i.test(said.error.message) ? ok(undefined) : said;
    const read = recordsIn(said.value, 'glab');
    return read.ok ? ok(read.value[0] && issueOf(read.value[0])) : read;
  });
}

/** GitLab makes a label that is not there. */
async function tell({ project, issue, to, comment, reopen }: SourceChange, place: SourcePlace): Promise<Result<void>> {
  const { add, remove } = labelsFor(to);
  const labels = [...(add === undefined ? [] : ['--label', add]), '--unlabel', remove.join(',')];
  const calls: readonly (readonly string[])[] = [
    ...(reopen ? [['reopen', issue]] : []),
    ['update', issue, ...labels],
    ...(comment === undefined ? [] : [['note', issue, '--message', comment]]),
    ...(to === 'closed' ? [['close', issue]] : []),
  ];
  for (const call of calls) {
    const said = await callProgram(glab, ['issue', ...call, '--repo', project], { place });
    if (!said.ok) return said;
  }
  return ok(undefined);
}
