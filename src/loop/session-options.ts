/** What a session is opened with: everything that was found and made for a run before its first step. */
import type { Templates } from '../brief/index.ts';
import type { Settings } from '../config/index.ts';
import type { EventSink } from '../events.ts';
import type { AskedReviews } from '../evidence/index.ts';
import type { JournalWriter, RalphFolder, Store } from '../journal/index.ts';
import type { OpenPlan } from '../plan/index.ts';
import type { Stopper } from '../process/index.ts';
import type { Agent, AgentOptions, Clock } from '../protocol.ts';
import type { LimitClock } from '../retry/index.ts';
import type { Sandbox } from '../sandbox/index.ts';
import type { RunState } from '../state.ts';
import type { Vault, Workspace } from '../workspace/index.ts';

export interface SessionOptions {
  readonly folder: RalphFolder;
  readonly settings: Settings;
  readonly agent: Agent;
  readonly agentOptions: AgentOptions;
  /** Who works when that one cannot, in this order. */
  readonly fallbacks?: readonly { readonly agent: Agent; readonly options: AgentOptions }[];
  /** Who works at a second and later attempt, before all others. */
  readonly retrier?: { readonly agent: Agent; readonly options: AgentOptions };
  /** What other runs on this machine know of the limits of their accounts. */
  readonly limits?: LimitClock;
  /** Who looks at accepted items, in this order; absent where no review is configured. */
  readonly reviewers?: readonly { readonly agent: Agent; readonly options: AgentOptions }[];
  readonly store: Store;
  readonly journal: JournalWriter;
  readonly state: RunState;
  readonly workspace: Workspace;
  readonly vault: Vault;
  /** Ignored files that a worker's checkout gets, as patterns. */
  readonly carry: readonly string[];
  readonly plan: OpenPlan;
  /** The plan's path inside the work tree, or undefined where git does not see it. */
  readonly planInTree: string | undefined;
  /** A run in a worktree: the plan in the person's own checkout, and its bytes as last seen. */
  readonly checkoutPlan?: { readonly path: string; seen: Buffer };
  /** Paths inside the work tree that belong to the runner: the plan and the config. */
  readonly ownedInTree: readonly string[];
  readonly config?: { readonly file: string; readonly bytes: Buffer; readonly link: string | undefined };
  /** Where the plan's path points when it is a link of the person's. */
  readonly planLink: string | undefined;
  readonly templates: Templates;
  /** Keeps agents and gates inside; absent: nothing does. */
  readonly sandbox?: Sandbox;
  readonly env: NodeJS.ProcessEnv;
  readonly clock: Clock;
  readonly sinks: readonly EventSink[];
  readonly stopper: Stopper;
  readonly only?: string;
  readonly once: boolean;
  /** Nothing is worked on: what is done is reviewed. */
  readonly reviews?: AskedReviews;
  /** Asked after each verdict in an attended run. */
  readonly ask?: Ask;
}

export type Answer =
  | { readonly type: 'go-on' }
  | { readonly type: 'retry'; readonly hint: string }
  | { readonly type: 'skip' }
  | { readonly type: 'stop' };

export type Ask = (question: {
  readonly item: string;
  readonly title: string;
  readonly verdict: string;
}) => Promise<Answer>;
