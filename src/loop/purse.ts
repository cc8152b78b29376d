/** Money while it is being spent: what an agent has cost so far, and what follows when that is too much. */
import { costOf, leastUsage, priceOf } from '../agents/index.ts';
import type { AgentOutcome, AgentSignal } from '../protocol.ts';
import { showCost } from '../util/show.ts';
import type { Session } from './session.ts';
import type { Spender } from './shared-run.ts';

export interface Purse {
  /** Aborted when the hard limit is passed while the agent works. */
  readonly signal: AbortSignal;
  /** Hands every signal on, those about tokens with what they cost. */
  see(signal: AgentSignal): AgentSignal;
  /** Ends every agent at work if what they have used is too much. One that is finished has nothing more to spend. */
  enforce(): void;
  /** What the whole process cost: as it says, else by the table. */
  settle(outcome: Pick<AgentOutcome, 'usage' | 'costUsd' | 'model'>): {
    readonly costUsd: number;
    readonly priced: boolean;
  };
}

/** An agent tells what it has used right before it says that it is finished; it may still say that. */
const LAST_WORDS_MS = 3_000;

export interface PurseOf {
  readonly agent: string;
  readonly model: () => string | undefined;
  readonly briefChars: number;
}

/** Runs that were told that a limit of cost cannot hold their agent. */
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
  /** Of the run, with what other agents at work have used by now. */
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
      // Tokens without a cost come after a cost that was told: the larger of both is nearer.
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
      // One that was cut off before it counted has used something, too.
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
  `what ${agent} costs is not known (${model ? `no price of ${model}` : 'it does not say its model'}), so limits.cost does not hold it: set ${model ? '' : 'model or '}prices in ralph.yaml`;
