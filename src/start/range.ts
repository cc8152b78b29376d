/** Which two trees a range names. */
import { type Failure, fail, ok, type Result } from '../util/result.ts';
import { nearest } from '../util/suggest.ts';
import { type Git, objectIds } from '../workspace/index.ts';

export interface End {
  /** As a person would say it. */
  readonly name: string;
  readonly tree: string;
}

export interface Range {
  readonly base: End;
  readonly head: End;
}

const MAIN = [
  'main',
  'master',
  'trunk',
  'develop',
  'origin/main',
  'origin/master',
  'origin/HEAD',
  'origin/trunk',
  'origin/develop',
];

export async function findRange(git: Git, range: string | undefined): Promise<Result<Range>> {
  if (range === undefined) return await fromMain(git);
  const dots = /\.{2,3}/.exec(range);
  const left = dots ? range.slice(0, dots.index) : range;
  const right = dots ? range.slice(dots.index + dots[0].length) : '';
  const [from, to] = [left || 'HEAD', right || 'HEAD'];
  // Both in one process; where one is not there, git is asked again to say why.
  const [baseTree, headTree] = await objectIds(git, [`${from}^{tree}`, `${to}^{tree}`]);
  const base = baseTree ? ok({ name: from, tree: baseTree }) : await endOf(git, from, { range, at: 0 });
  if (!base.ok) return base;
  const at = dots ? dots.index + dots[0].length : 0;
  const head = headTree ? ok({ name: to, tree: headTree }) : await endOf(git, to, { range, at });
  if (!head.ok) return head;
  if (dots?.[0] !== '...') return ok({ base: base.value, head: head.value });
  const common = await git.text('merge-base', from, to);
  if (!common.ok) return fail(usage(range, 0, `"${left}" and "${right}" have no commit in common`));
  const start = await endOf(git, common.value, { range, at: 0 });
  return start.ok ? ok({ base: { ...start.value, name: common.value.slice(0, 10) }, head: head.value }) : start;
}

/** What the current branch has that the main one has not. */
async function fromMain(git: Git): Promise<Result<Range>> {
  const head = await endOf(git, 'HEAD', { range: 'HEAD', at: 0 });
  if (!head.ok)
    return fail<Failure>({
      reason: 'usage',
      message: 'there is no commit to look at yet',
      hint: 'Run: git add -A && git commit -m "Start"',
    });
  const here = await git.text('rev-parse', 'HEAD');
  let nothing: Range | undefined;
  for (const name of MAIN) {
    const common = await git.text('merge-base', 'HEAD', name);
    if (!common.ok) continue;
    const base = await endOf(git, common.value, { range: name, at: 0 });
    if (!base.ok) continue;
    const found = { base: { name, tree: base.value.tree }, head: head.value };
    if (!here.ok || common.value !== here.value) return ok(found);
    nothing ??= found;
  }
  if (nothing) return ok(nothing);
  return fail<Failure>({
    reason: 'usage',
    message: 'there is no branch main or master to compare with',
    hint: 'Name a range: ralph audit HEAD~1..HEAD',
  });
}

interface Asked {
  readonly range: string;
  readonly at: number;
}

async function endOf(git: Git, name: string, { range, at }: Asked): Promise<Result<End>> {
  const tree = name.startsWith('-')
    ? undefined
    : await git.text('rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{tree}`);
  if (tree?.ok && /^[0-9a-f]{40,64}$/.test(tree.value)) return ok({ name, tree: tree.value });
  const refs = await git.text('for-each-ref', '--format=%(refname:short)', 'refs/heads', 'refs/tags', 'refs/remotes');
  const near = refs.ok ? nearest(name, refs.value.split('\n')) : undefined;
  return fail({
    ...usage(range, at, `there is no commit, branch or tag "${name}"`),
    ...(near && { hint: `Did you mean "${near}"?` }),
  });
}

const usage = (range: string, at: number, message: string): Failure => ({
  reason: 'no-range',
  message: `range "${range}", character ${at + 1}: ${message}`,
});
