/** Plans: items, what may be written into them, and the formats that read them. */
import type { Result } from '../util/result.ts';

/** The built-in formats; one of your own has any other name. */
export type FormatName = 'prd' | 'checklist' | 'sprint' | 'groups' | 'prompt';

export type ItemStatus = 'pending' | 'in-progress' | 'done' | 'blocked' | 'skipped';

/** One unit of work. What a format cannot express stays empty. */
export interface Item {
  readonly id: string;
  readonly title: string;
  readonly status: ItemStatus;
  /** Lower runs first; items without one come after those that have one. */
  readonly priority?: number;
  readonly dependsOn: readonly string[];
  /** Why it is not taken up by itself although it is open, where the plan says that work stands further on. */
  readonly passedOver?: string;
  /** 1-based line of the item in its plan file. */
  readonly line: number;
  /** The story's own words beyond the title. */
  readonly body: string;
  readonly criteria: readonly string[];
  /** Check commands of the item's own: red before and green after proves it without a claim. */
  readonly verify: readonly string[];
  /** The item may be accepted without any change in the tree. */
  readonly changeOptional: boolean;
  /** Why a blocked or skipped item is so, when the plan says. */
  readonly note?: string;
  /** The name the agent claims it by, where that is not the id (`Group 3`). */
  readonly claimAs?: string;
  /** Of the item's own, over the configured ones. */
  readonly model?: string;
  readonly effort?: string;
  /** Where its words stand, if not in the plan's own file at `line`; the path counts from the folder of the plan's file. */
  readonly source?: { readonly path: string; readonly line: number };
  /** Ids of requirements or stories that it names, as the design documents call them. */
  readonly refs?: readonly string[];
  /** What the plan says above it: the prose of its section and of the sections around that one, outermost first. */
  readonly section?: string;
  /** The plan says that it touches nothing that its neighbours touch. */
  readonly parallel?: boolean;
  /** It may stay open for ever: left out by itself, done where it is asked for. */
  readonly optional?: boolean;
  /** Anybody may have written it: shown as data, in a fence, and taken as no order. */
  readonly data?: true;
  /** Its place in the order of the tool the plan belongs to, where that order is its own; lower runs first. */
  readonly rank?: number;
  /** How often it was tried, where the plan counts. */
  readonly attempts?: number;
  /** Guards a person lifts for this item: `rule`, or `rule:glob` for some paths only. Absent means none. */
  readonly allow?: readonly string[];
  /** What the plan says a review of it came to. */
  readonly reviewed?: 'passed' | 'needs-fix';
  /** A file the agent has to leave a section in; asked for once. */
  readonly notes?: { readonly path: string; readonly heading: string };
}

export interface Problem {
  readonly level: 'error' | 'warning';
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

export interface Plan {
  /** The name of its format. */
  readonly format: string;
  /** The file that holds the state. */
  readonly path: string;
  /** What the plan calls itself (branchName, project, heading); names the run and its branch. */
  readonly name: string;
  /** Of all items, in their order: told without reading the items. */
  readonly ids: readonly string[];
  readonly items: readonly Item[];
  /** A plan with a problem of level `error` is never run and never counts as done. */
  readonly problems: readonly Problem[];
  /** The first of those: known before all others are looked for. */
  readonly error: Problem | undefined;
  /** Standing instructions that come with the plan (a PROMPT.md beside a checklist). */
  readonly instructions: string;
  /** Its one item is repeated until its promise and gates hold; progress is kept in between. */
  readonly repeats: boolean;
  /** The plan or run whose branch this one builds on. */
  readonly after?: string;
  /** What the plan says about itself: what is built, with which tools, by which rules. */
  readonly about?: string;
  /** Documents that belong to it, relative to the repository, the most telling first. */
  readonly documents?: readonly {
    readonly path: string;
    readonly role: string;
    /** About the whole project: the ids of one plan's items and requirements mean nothing in it. */
    readonly scope?: 'project';
  }[];
  /** A command that the plan names for its tests: offered as a gate, never run unasked. */
  readonly testCommand?: string;
  /** Its file takes no marks: what is done is in the journal alone, and a later run continues with the last one. */
  readonly marks?: 'journal';
}

/** What the runner may write into a plan. */
export interface Mark {
  readonly id: string;
  readonly to: Exclude<ItemStatus, 'in-progress'>;
  readonly note?: string;
  /** When, in epoch milliseconds, for formats that write it down. */
  readonly at?: number;
  /** Back to pending for another attempt: what is counted continues. Without it pending means from the beginning. */
  readonly again?: true;
}

/** An attempt that is about to begin, for formats that write it down. */
export interface Begin {
  readonly id: string;
  readonly attempt: number;
  readonly at: number;
}

/** What a review says about a finished item, for formats that can write it down. */
export interface ReviewMark {
  readonly id: string;
  readonly to: 'reviewed' | 'needs-fix';
  /** The item that is to mend it. */
  readonly note?: string;
}

export interface NewItem {
  readonly id: string;
  readonly title: string;
  readonly body: string;
  readonly criteria: readonly string[];
}

/** The files a format may look at; tests pass a plain object. */
export interface PlanFiles {
  read(path: string): string | undefined;
  isFolder(path: string): boolean;
  /** Names in a folder, in no order; empty where there is none. */
  list(path: string): readonly string[];
}

/** Where a plan is, and what may be looked at around it. */
export interface PlanPlace {
  readonly path: string;
  readonly files: PlanFiles;
}

/** A file with a text it is to have; the path as it was read. */
export interface NewText {
  readonly path: string;
  readonly text: string;
}

/**
 * A plan as one text says it, and the documents that changes make of it. Nothing here touches a disk. A change alters only
 * the bytes of the state; everything else in the text survives as it was. No function here throws, whatever the text.
 */
export interface PlanDocument {
  readonly text: string;
  readonly plan: Plan;
  mark(mark: Mark): Result<PlanDocument>;
  append(item: NewItem): Result<PlanDocument>;
  /** Writes down that an attempt begins. A format that has this keeps every state in its file, not only `done`. */
  begin?(begin: Begin): Result<PlanDocument>;
  /** Writes down what a review said, beside the item's state. */
  review?(mark: ReviewMark): Result<PlanDocument>;
  /** Other files with the mark in them, where an item has a file of its own. */
  markFiles?(mark: Mark): Result<readonly NewText[]>;
  /** Other files the runner rewrites from the plan's state (a report); paths beside the state file. */
  renderings?(at: number): readonly NewText[];
}

/** One plan format: where its plans are, and how their text is read. No function here throws. */
export interface PlanFormat {
  readonly name: string;
  /** The file that holds the state, if `path` (a file or a folder) is a plan of this format. */
  find(path: string, files: PlanFiles): string | undefined;
  parse(text: string, path: string, files: PlanFiles): PlanDocument;
  /** The first text of the state file, where it is made from other files and is not there yet. */
  create?(path: string, files: PlanFiles, at: number): Result<string>;
}
