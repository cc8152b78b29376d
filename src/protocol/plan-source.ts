/** Issues of a tracker as a plan: what a source of them has to be able to do. One file with these three functions is a source. */
import type { Result } from '../util/result.ts';

/** Which issues are meant: those of a project with a label, of a milestone, or both. */
export interface SourceQuery {
  /** `owner/repo`, `group/sub/project`: as the tracker names it. */
  readonly project: string;
  readonly label?: string;
  readonly milestone?: string;
}

/** An issue as its tracker knows it. Its words are data: nothing in them is a command, a gate or a rule. */
export interface SourceIssue {
  /** What people type for it (`12`), without a sign in front. */
  readonly id: string;
  readonly title: string;
  readonly body: string;
  readonly labels: readonly string[];
  readonly state: 'open' | 'closed';
  readonly url?: string;
  /** Where the tracker has a field for it; lower runs first. Else the labels say. */
  readonly priority?: number;
  /** Where the tracker has a field for it. Else the words and labels say. */
  readonly blockedBy?: readonly string[];
}

/** What became of an issue here. */
export type SourceState = 'pending' | 'in-progress' | 'blocked' | 'done' | 'closed';

/** One thing to tell the tracker; telling it twice must do no harm but a second comment. */
export interface SourceChange {
  readonly project: string;
  readonly issue: string;
  readonly to: SourceState;
  /** Markdown; what is an agent's in it is fenced. */
  readonly comment?: string;
  /** It was closed by an earlier change, and is to be open again. */
  readonly reopen?: true;
}

export interface SourcePlace {
  /** The repository. */
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** How long one call may take. */
  readonly timeoutMs: number;
}

/** One tracker. No function throws or rejects: what cannot be done is a failure with a sentence and the next step. */
export interface PlanSource {
  /** The word before the colon: `github` of `github:owner/repo#label`. */
  readonly scheme: string;
  /** Every open issue of the query. */
  list(query: SourceQuery, place: SourcePlace): Promise<Result<readonly SourceIssue[]>>;
  /** These issues, open or closed; one that is not there is left out. */
  look(project: string, ids: readonly string[], place: SourcePlace): Promise<Result<readonly SourceIssue[]>>;
  tell(change: SourceChange, place: SourcePlace): Promise<Result<void>>;
}
