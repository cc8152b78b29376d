/** The options of a session: everything that was prepared for a run before its first step. */
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
  /** Agents that take over when the first cannot work, in this order. */
  readonly fallbacks?: readonly { readonly agent: Agent; readonly options: AgentOptions }[];
  /** The agent for the second and later attempts, preferred to all others. */
  readonly retrier?: { readonly agent: Agent; readonly options: AgentOptions };
  /** Rate limits of the accounts, shared with other runs on this machine. */
  readonly limits?: LimitClock;
  /** Reviewers of accepted items, in order of preference; absent if no review is configured. */
  readonly reviewers?: readonly { readonly agent: Agent; readonly options: AgentOptions }[];
  readonly store: Store;
  readonly journal: JournalWriter;
  readonly state: RunState;
  readonly workspace: Workspace;
  readonly vault: Vault;
  /** Ignored files that a worker's checkout gets, as patterns. */
  readonly carry: readonly string[];
  readonly plan: OpenPlan;
  /** The plan's path in the work tree; undefined if git does not track it. */
  readonly planInTree: string | undefined;
  /** Plans of other runs and of the config, relative to the repository. */
  readonly otherPlans: readonly string[];
  /** For a run in a worktree: the plan in the person's own checkout, and its bytes as last seen, and as last taken over. */
  readonly checkoutPlan?: { readonly path: string; seen: Buffer; taken: Buffer };
  /** Paths inside the work tree that belong to the runner: the plan and the config. */
  readonly ownedInTree: readonly string[];
  readonly config?: { readonly file: string; readonly bytes: Buffer; readonly link: string | undefined };
  /** The target of the plan's path, if it is a link that the person made. */
  readonly planLink: string | undefined;
  readonly templates: Templates;
  /** Confines agents and gates; absent if nothing does. */
  readonly sandbox?: Sandbox;
  readonly env: NodeJS.ProcessEnv;
  readonly clock: Clock;
  readonly sinks: readonly EventSink[];
  readonly stopper: Stopper;
  readonly only?: string;
  readonly once: boolean;
  /** Set if items are only reviewed and not worked on. */
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
