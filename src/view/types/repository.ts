/** Views of the repository rather than of one run: the morning, lessons, archives, search. */
import type { GateResult } from '../../protocol.ts';
import type { CountsView, EndView, ErrorView, Tape, VerdictRow } from './common.ts';

export interface MorningView {
  readonly sentence: string;
  readonly since: number;
  readonly needed: number;
  /** Those that need a person first. */
  readonly branches: readonly DossierView[];
}

/** A branch that a run left. */
export interface DossierView {
  readonly id: string;
  readonly run: string;
  readonly name: string;
  readonly plan: string;
  readonly branch: string;
  /** The branch it started from; null if the run was on the person's own branch. */
  readonly from: string | null;
  readonly place: 'live' | 'open' | 'merged' | 'gone' | 'continued';
  readonly needsPerson: boolean;
  /** The whole state in one sentence. */
  readonly headline: string;
  readonly counts: CountsView;
  readonly commits: number;
  readonly diff: { readonly files: number; readonly added: number; readonly deleted: number } | null;
  readonly activeMs: number;
  readonly costUsd: number;
  readonly lastAt: number;
  readonly finished: EndView | null;
  readonly final: readonly GateResult[];
  readonly tape: Tape;
  readonly tapeScale: number;
  /** What to look at first. */
  readonly look: readonly LookView[];
  readonly refused: readonly VerdictRow[];
  /** Commands that can be pasted as they are, in order. */
  readonly next: readonly string[];
}

export interface LookView {
  readonly text: string;
  readonly item: string | null;
  /** The iteration to open. */
  readonly n: number | null;
}

export interface LessonsView {
  readonly sentence: string;
  readonly lessons: readonly LessonView[];
  readonly problems: readonly ErrorView[];
}

export interface LessonView {
  readonly id: string;
  readonly kind: 'pattern' | 'gotcha' | 'fact';
  readonly text: string;
  readonly from: readonly string[];
  readonly byPerson: boolean;
  readonly failure: string | null;
  /** Why it is no longer shown. */
  readonly retired: string | null;
  readonly promoted: string | null;
  readonly shown: number;
  /** How often an agent cited it. */
  readonly used: number;
  readonly won: number;
  readonly lost: number;
  /** From 0 to 1: with 90 % confidence, at least this share of the iterations it was shown in went well. */
  readonly holds: number;
}

export interface ArchivesView {
  readonly archives: readonly ArchiveRowView[];
}

export interface ArchiveRowView {
  /** The folder's name, which is also its id in URLs. */
  readonly name: string;
  /** Null for an archive that another tool or a person keeps there. */
  readonly run: string | null;
  readonly plan: string;
  readonly startedAt: number | null;
  readonly finishedAt: number | null;
  readonly reason: string | null;
  readonly items: number;
  readonly done: number;
  readonly iterations: number;
  readonly costUsd: number;
  readonly problem: ErrorView | null;
}

export interface ArchiveView extends ArchiveRowView {
  readonly why: string;
  readonly branch: string | null;
  readonly rows: readonly {
    readonly id: string;
    readonly title: string;
    readonly status: string;
    readonly why: string;
    readonly tape: Tape;
    readonly commit: string | null;
  }[];
  readonly lessons: readonly { readonly kind: string; readonly text: string }[];
}

export interface SearchView {
  readonly query: string;
  /** Best first, at most 50. */
  readonly hits: readonly HitView[];
  /** There were more hits, or the search ran out of time. */
  readonly more: boolean;
}

export interface HitView {
  readonly kind: 'run' | 'item' | 'iteration' | 'lesson' | 'archive';
  /** The run's id in URLs, for a run, an item or an iteration. */
  readonly run: string | null;
  /** The id of the item, the lesson or the archive. */
  readonly id: string;
  /** The number of the iteration. */
  readonly n: number | null;
  readonly title: string;
  readonly excerpt: string;
}
