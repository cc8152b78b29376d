/** Tracks what an agent has cost so far, and ends it when a limit is exceeded. */
import { costOf, leastUsage, priceOf } from '../agents/index.ts';
import type { AgentOutcome, AgentSignal } from '../protocol.ts';
import { showCost } from '../util/show.ts';
import type { Session } from './session.ts';
import type { Spender } from './shared-run.ts';

export interface Purse {
  /** Aborted when the hard limit is exceeded while the agent works. */
  readonly signal: AbortSignal;
  /** Passes every signal on, and adds the cost to those about tokens. */
  see(signal: AgentSignal): AgentSignal;
  /** Ends all working agents if together they exceed the limit. An agent that has finished spends nothing more. */
  enforce(): void;
  /** The cost of the whole process: as the agent reports it, otherwise from the price table. */
  settle(outcome: Pick<AgentOutcome, 'usage' | 'costUsd' | 'model'>): {
    readonly costUsd: number;
    readonly priced: boolean;
  };
}

/** An agent reports its usage right before it says that it has finished, so it gets this long to say so. */
const LAST_WORDS_MS = 3_000;

export interface PurseOf {
  readonly agent: string;
  readonly model: () => string | undefined;
  readonly briefChars: number;
}

/** Runs that were warned that the cost limit has no effect on their agent. */
const warnedOf = new WeakSet<Session>();

export function openPurse(session: Session, { agent, model, briefChars }: PurseOf): Purse {
  const { limits, prices } = session.settings;
  const least = leastUsage(briefChars);
  let counted = false;
  const tooDear = new AbortController();
  let spent = 0;
  let warned = false;
  let ending: NodeJS.Timeout | undefined;
  let isFinished = false;
  const mine: Spender = {
    spent: () => spent,
    end: () => {
      if (!isFinished) ending ??= setTimeout(() => tooDear.abort(), LAST_WORDS_MS);
    },
  };
  /** The cost of the run, including what the other working agents have used so far. */
  const others = (): number => {
    const atWork = [...session.spending].filter(each => each !== mine);
    return atWork.reduce((sum, each) => sum + each.spent(), session.state.costUsd);
  };
  return {
    signal: tooDear.signal,
    see: signal => {
      session.spending.add(mine);
      if (signal.type === 'finished') isFinished = true;
      least.see(signal);
      if (signal.type !== 'usage' && (counted || signal.type !== 'tool')) return signal;
      counted ||= signal.type === 'usage';
      const told = signal.type === 'usage' ? signal.costUsd : undefined;
      const usage = signal.type === 'usage' ? signal.usage : least.usage();
      const costUsd = told ?? costOf(usage, priceOf(model(), prices));
      if (costUsd === undefined) return signal;
      // A token count without a cost may follow a reported cost; the larger of both is closer to the truth.
      spent = Math.max(spent, costUsd);
      const before = others();
      const { softCostUsd: soft = Number.POSITIVE_INFINITY } = limits;
      if (!warned && before + spent >= soft && before + spent < limits.costUsd) {
        warned = true;
        session.notice(
          'warn',
          `${showCost(before + spent)} are spent, past the soft limit of ${showCost(soft)}: this iteration may finish, no other begins`,
        );
      }
      return signal.type === 'usage' ? { ...signal, costUsd: spent } : signal;
    },
    enforce: () => {
      if (others() + spent < limits.costUsd) return;
      mine.end();
      for (const other of session.spending) other.end();
    },
    settle: ({ usage, costUsd, model: named }) => {
      clearTimeout(ending);
      session.spending.delete(mine);
      if (costUsd > 0) return { costUsd, priced: false };
      const price = priceOf(named ?? model(), prices);
      // An agent that was cut off before its first count has used something, too.
      const used = counted ? usage : least.usage();
      if (counted && !price && usage.outputTokens > 0 && !warnedOf.has(session)) {
        warnedOf.add(session);
        session.notice('warn', unpriced(agent, named ?? model()));
      }
      const priced = costOf(used, price) ?? 0;
      return { costUsd: priced, priced: priced > 0 };
    },
  };
}

const unpriced = (agent: string, model: string | undefined): string =>
  `what ${agent} costs is not known (${model ? `no price of ${model}` : 'it does not say its model'}), so limits.cost does not hold it: set ${model ? '' : 'model or '}prices in the config`;
