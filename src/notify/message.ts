/** A notification: what happened, why, and what to do next. Short enough for a phone. */
import type { MessageKind } from '../protocol.ts';
import { quoted } from '../util/shell-word.ts';
import { showCost } from '../util/show.ts';

/** A message as made from events. */
export interface News {
  readonly kind: MessageKind;
  readonly what: string;
  /** Empty if the first line says everything. */
  readonly why: string;
  /** Commands that can be pasted, the most likely one first. */
  readonly next: readonly string[];
  readonly item?: string;
}

/** A message as it is sent; this is also the body of a webhook. */
export interface Message extends News {
  /** The same for every try to deliver it. */
  readonly id: string;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly run: string;
  readonly plan: string;
  readonly branch: string;
  /** The name of the repository's folder, its path, and the machine. */
  readonly repository: string;
  readonly folder: string;
  readonly host: string;
  readonly done: number;
  readonly total: number;
  readonly blocked: number;
  readonly costUsd: number;
  readonly limitUsd: number;
}

/** From 1 (may go unseen) to 5; from 4 on a phone rings longer. */
export const PRIORITIES: Readonly<Record<MessageKind, number>> = {
  done: 3,
  blocked: 3,
  'needs-person': 4,
  stuck: 4,
  wait: 2,
  cost: 3,
  stopped: 3,
  failed: 4,
};

/** `shop · 2026-01-08-payments · 4 of 12 done · $3.20 of $25.00` */
export function contextLine({ repository, run, done, total, costUsd, limitUsd }: Message): string {
  const items = total > 0 ? `${done} of ${total} done` : '';
  const cost = costUsd > 0 ? `${showCost(costUsd)} of ${showCost(limitUsd)}` : '';
  return [repository, run, items, cost].filter(Boolean).join(' · ');
}

/** Where the commands have to be run. */
export const placeLine = ({ host, folder }: Message): string => `On ${host}: cd ${quoted(folder)}`;

/** Everything but the first line, as plain text. */
export function bodyText(message: Message): string {
  const { why, next } = message;
  const commands = next.length === 0 ? [] : ['', 'Next:', ...next.map(command => `  ${command}`)];
  return [...(why ? [why] : []), ...commands, '', contextLine(message), placeLine(message)].join('\n').trimStart();
}
