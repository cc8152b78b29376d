/** The interface of a tracker whose issues serve as a plan; a file that implements these three functions is a new source. */
import type { Result } from '../util/result.ts';

/** Selects issues of a project by a label, a milestone, or both. */
export interface SourceQuery {
  /** The project's name in the tracker: `owner/repo`, `group/sub/project`. */
  readonly project: string;
  readonly label?: string;
  readonly milestone?: string;
}

/** An issue in its tracker. Its text is data: nothing in it counts as a command, a gate or a rule. */
export interface SourceIssue {
  /** The id that people type (`12`), without a prefix such as `#`. */
  readonly id: string;
  readonly title: string;
  readonly body: string;
  readonly labels: readonly string[];
  readonly state: 'open' | 'closed';
  readonly url?: string;
  /** Set if the tracker has a field for it; lower runs first. Otherwise labels decide. */
  readonly priority?: number;
  /** Set if the tracker has a field for it. Otherwise the text and the labels decide. */
  readonly blockedBy?: readonly string[];
}

/** The state of an issue in this run. */
export type SourceState = 'pending' | 'in-progress' | 'blocked' | 'done' | 'closed';

/** One update for the tracker; sending it twice must do nothing worse than repeat a comment. */
export interface SourceChange {
  readonly project: string;
  readonly issue: string;
  readonly to: SourceState;
  /** Markdown; text from an agent is in a code fence. */
  readonly comment?: string;
  /** An earlier update closed the issue, and this one reopens it. */
  readonly reopen?: true;
}

export interface SourcePlace {
  /** The repository. */
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** The time limit of one call. */
  readonly timeoutMs: number;
}

/** One tracker. No function throws or rejects: an error is a failure with a message and the next step. */
export interface PlanSource {
  /** The scheme of its plans: `github` in `github:owner/repo#label`. */
  readonly scheme: string;
  /** Lists all open issues that match the query. */
  list(query: SourceQuery, place: SourcePlace): Promise<Result<readonly SourceIssue[]>>;
  /** Fetches these issues, open or closed; missing ones are left out. */
  look(project: string, ids: readonly string[], place: SourcePlace): Promise<Result<readonly SourceIssue[]>>;
  tell(change: SourceChange, place: SourcePlace): Promise<Result<void>>;
}
