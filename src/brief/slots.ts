/** What a brief is made of, and how much of each there may be. */
import type { Gate, GuardRules, Item } from '../protocol.ts';
import type { Node } from './render.ts';

/** In the order of the brief: what never changes comes first, so that agents can cache it from item to item. */
export const SLOTS = [
  'role',
  'instructions',
  'about',
  'context',
  'steering',
  'section',
  'item',
  'documents',
  'position',
  'gates',
  'feedback',
  'lessons',
  'dependencies',
  'progress',
  'claim',
] as const;

export type SlotName = (typeof SLOTS)[number];

/** Every slot of a brief, and the whole brief of a reviewer. */
export type TemplateName = SlotName | 'review';

/** One compiled template per name. */
export type Templates = Readonly<Record<TemplateName, readonly Node[]>>;

/** Tokens per slot; `prompt` is the item slot where the item is the user's whole prompt (repeated plans and groups). */
export type Budget = Readonly<Record<SlotName | 'prompt', number>>;

/**
 * Without the words of the user's own (instructions, about, context, steering, section, item, documents) all of it stays
 * under 8 KiB on a first attempt; a later one has feedback on top.
 */
export const DEFAULT_BUDGET: Budget = {
  role: 330,
  instructions: 8_000,
  about: 1_500,
  context: 4_000,
  steering: 500,
  section: 1_500,
  item: 4_000,
  prompt: 40_000,
  documents: 3_000,
  position: 190,
  gates: 280,
  feedback: 620,
  // At most; what a run and its memory add stays under half of the rest.
  lessons: 400,
  dependencies: 130,
  progress: 200,
  claim: 420,
};

export interface BriefInput {
  readonly run: string;
  readonly iteration: number;
  readonly attempt: number;
  readonly maxAttempts: number;
  readonly item: Item;
  readonly plan: {
    readonly path: string;
    readonly format: string;
    readonly name: string;
    readonly instructions: string;
    readonly repeats: boolean;
    /** What it says about itself. */
    readonly about?: string;
    /** The command it names for its tests. */
    readonly testCommand?: string;
  };
  /** What belongs to the plan, the most telling first, with what was found in each about this item. */
  readonly documents?: readonly BriefDocument[];
  /** Notes on the items that this one depends on, newest last. */
  readonly dependencies?: readonly string[];
  readonly position: {
    readonly done: number;
    readonly total: number;
    readonly blocked: number;
    /** Titles of the items done last, newest last. */
    readonly recent: readonly string[];
    /** Titles of the items that come after this one, next first. */
    readonly upcoming: readonly string[];
  };
  readonly gates: readonly Gate[];
  readonly finalGates: readonly Gate[];
  readonly rules: GuardRules;
  /** Paths that belong to the runner: the plan and the config. */
  readonly owned: readonly string[];
  /** What the last attempt failed on; empty on a first attempt. */
  readonly feedback: string;
  /** The last attempt's work is committed, and the feedback is about what is still missing. */
  readonly kept: boolean;
  /** Green work without a claim is already in the tree. */
  readonly unclaimed: boolean;
  /** The last attempt's changes are still in the tree. */
  readonly carried: boolean;
  /** What earlier runs and people learned that fits this item, best first. */
  readonly lessons: readonly {
    readonly id: string;
    readonly kind: 'pattern' | 'gotcha' | 'fact';
    readonly text: string;
  }[];
  /** Entries of the progress log, newest last. */
  readonly progress: readonly string[];
  /** Context files in the order of their rank. */
  readonly context: readonly { readonly path: string; readonly text: string }[];
  /** What the person said with `ralph steer`, newest last. */
  readonly steering: readonly string[];
  readonly templates: Templates;
  readonly budget: Budget;
}

/** One design document: what it is, and the passages of it that name the item. */
export interface BriefDocument {
  readonly path: string;
  readonly role: string;
  readonly passages: readonly { readonly line: number; readonly text: string }[];
  /** Why nothing, or not all of it, was looked at. */
  readonly unread?: string;
}

/** How one slot used its budget. */
export interface SlotUse {
  readonly name: SlotName;
  readonly tokens: number;
  readonly bytes: number;
  readonly budget: number;
  /** Entries that did not fit and were ranked out. */
  readonly dropped: number;
  readonly note?: string;
  /** What was left out, in words. */
  readonly omitted?: string;
}

/** The prompt of one iteration. */
export interface Brief {
  readonly text: string;
  readonly slots: readonly SlotUse[];
  /** Ids of the lessons that found room; a hint of the pin has none. */
  readonly lessons: readonly string[];
}
