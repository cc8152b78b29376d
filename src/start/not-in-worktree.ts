/** What a worktree would lack of a plan: it has only what is committed, the plan itself and the config. */
import { dirname, join } from 'node:path';
import { type OpenPlan, wordFiles } from '../plan/index.ts';
import type { Failure } from '../util/result.ts';
import { quoted } from '../util/shell-word.ts';
import { plural } from '../util/show.ts';
import { repoPath } from '../workspace/index.ts';
import type { Project } from './project.ts';

/** More of them are named by their folders. */
const NAMED = 5;

/** Words of the plan and what its briefs carry, as paths of the repository: prompts, specifications, `context`. */
export function wordsOfPlan({ repository, settings }: Project, plan: OpenPlan): readonly string[] {
  const { documents = [] } = plan.plan;
  const files = [
    ...wordFiles(plan),
    // The rules of the project are nothing of this plan's.
    ...documents.filter(({ scope }) => scope !== 'project').map(({ path }) => join(repository.root, path)),
    ...settings.context.map(path => join(repository.root, path)),
  ];
  return [...new Set(files.flatMap(file => repoPath(repository, file) ?? []))];
}

/** The branch that holds the commit a run starts from: a person's, or one that the run goes on with. */
interface Start {
  readonly branch: string;
  readonly isOwn: boolean;
}

/** Without a word about it, the agent would work to words that nobody means any more, or to none. */
export async function notInWorktree(
  project: Project,
  plan: OpenPlan,
  { base, head, from }: { readonly base: string; readonly head: string; readonly from: Start },
): Promise<Failure | undefined> {
  const { git } = project.repository;
  const paths = wordsOfPlan(project, plan).map(literal);
  if (paths.length === 0) return undefined;
  const edited = await git.list('diff', '--name-only', '-z', '--no-renames', base, '--', ...paths);
  const fresh = await git.list('ls-files', '-z', '--others', '--exclude-standard', '--', ...paths);
  const lacking = [...(edited.ok ? edited.value : []), ...(fresh.ok ? fresh.value : [])];
  const [first] = lacking;
  if (first === undefined) return undefined;
  const others = lacking.length > 1 ? ` and ${plural(lacking.length - 1, 'other file')} of the plan` : '';
  const where = base === head ? 'what is here is not committed' : `it starts from ${base.slice(0, 7)}`;
  const files = (lacking.length > NAMED ? [...new Set(lacking.map(path => dirname(path)))] : lacking).map(quoted);
  const names = files.join(' ');
  const commit = `git add ${names} && git commit -m "Plan" ${names}`;
  const tip = await git.text('rev-parse', '-q', '--verify', `refs/heads/${from.branch}`);
  // A branch of a run that lacks a commit of the person's is not continued.
  const take = from.isOwn ? `git merge '@{-1}'` : `git checkout '@{-1}' -- ${names} && git commit -m "Plan" ${names}`;
  const same = await git.list('diff', '--name-only', '-z', '--no-renames', head, '--', ...paths);
  const isCommitted = same.ok && same.value.length === 0 && fresh.ok && fresh.value.length === 0;
  const bring = `${isCommitted ? '' : `${commit} && `}git switch ${quoted(from.branch)} && ${take} && git switch -`;
  const isThere = tip.ok && tip.value === base;
  return {
    reason: 'plan-elsewhere',
    message: `a worktree would have ${first}${others} in another version, or not at all: ${where}`,
    hint:
      base === head
        ? `Run: ${commit}`
        : isThere
          ? `To have it there, too: ${bring}`
          : 'Commit it where this plan starts.',
  };
}

/** Those that git ignores: they are copied, because nobody can commit them. */
export async function ignoredWords(project: Project, plan: OpenPlan): Promise<readonly string[]> {
  const paths = wordsOfPlan(project, plan).map(literal);
  if (paths.length === 0) return [];
  const { git } = project.repository;
  const ignored = await git.list('ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--', ...paths);
  return ignored.ok ? ignored.value : [];
}

const literal = (path: string): string => `:(literal)${path}`;
