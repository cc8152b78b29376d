/** Plans: items, the marks written into them, and the formats that read them. */
import type { Result } from '../util/result.ts';

/** The built-in formats; a custom format has any other name. */
export type FormatName = 'prd' | 'checklist' | 'sprint' | 'groups' | 'prompt';

export type ItemStatus = 'pending' | 'in-progress' | 'done' | 'blocked' | 'skipped';

/** One unit of work. Fields that a format cannot express stay empty. */
export interface Item {
  readonly id: string;
  readonly title: string;
  readonly status: ItemStatus;
  /** Lower runs first; items without one come after those that have one. */
  readonly priority?: number;
  readonly dependsOn: readonly string[];
  /** Why the item is not picked automatically although it is open: the plan says that work has moved past it. */
  readonly passedOver?: string;
  /** 1-based line of the item in its plan file. */
  readonly line: number;
  /** The item's text beyond its title. */
  readonly body: string;
  readonly criteria: readonly string[];
  /** The item's own check commands: red before and green after proves the item without a claim. */
  readonly verify: readonly string[];
  /** The item may be accepted without any change in the tree. */
  readonly changeOptional: boolean;
  /** Why the item is blocked or skipped, if the plan says so. */
  readonly note?: string;
  /** The name that the agent claims the item by, if it is not the id (`Group 3`). */
  readonly claimAs?: string;
  /** The item's own settings, which override the configured ones. */
  readonly model?: string;
  readonly effort?: string;
  /** Where the item's text is, if not in the plan file at `line`; the path is relative to the folder of the plan file. */
  readonly source?: { readonly path: string; readonly line: number };
  /** Ids of requirements or stories that the item names, as written in the design documents. */
  readonly refs?: readonly string[];
  /** The prose of the item's section and of the sections around it, outermost first. */
  readonly section?: string;
  /** The plan says that the item touches nothing that its neighbours touch. */
  readonly parallel?: boolean;
  /** The item may stay open forever: never picked automatically, done only on request. */
  readonly optional?: boolean;
  /** Anybody may have written the item, so briefs show it as data in a code fence, not as instructions. */
  readonly data?: true;
  /** The item's position in the order of the plan's own tool, if that tool defines one; lower runs first. */
  readonly rank?: number;
  /** How often the item was tried, if the plan counts it. */
  readonly attempts?: number;
  /** Guards a person lifts for this item: `rule`, or `rule:glob` for some paths only. Absent means none. */
  readonly allow?: readonly string[];
  /** The result of the item's review, according to the plan. */
  readonly reviewed?: 'passed' | 'needs-fix';
  /** A file in which the agent has to leave a section; the runner asks for it once. */
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
  /** The file that contains the state. */
  readonly path: string;
  /** The plan's own name (branchName, project, heading); the run and its branch are named after it. */
  readonly name: string;
  /** The ids of all items, in order; available without parsing the items. */
  readonly ids: readonly string[];
  readonly items: readonly Item[];
  /** A plan with a problem of level `error` is never run and never counts as done. */
  readonly problems: readonly Problem[];
  /** The first problem of level `error`; available before the others are computed. */
  readonly error: Problem | undefined;
  /** Standing instructions that come with the plan (a PROMPT.md beside a checklist). */
  readonly instructions: string;
  /** The plan's one item is repeated until its promise and gates hold; progress is committed in between. */
  readonly repeats: boolean;
  /** The plan or run whose branch this one builds on. */
  readonly after?: string;
  /** The plan's description of itself: what is built, with which tools, by which rules. */
  readonly about?: string;
  /** Documents that belong to the plan, relative to the repository, most relevant first. */
  readonly documents?: readonly {
    readonly path: string;
    readonly role: string;
    /** The document is about the whole project: ids of one plan's items and requirements mean nothing in it. */
    readonly scope?: 'project';
  }[];
  /** A test command that the plan names: suggested as a gate, never run without the user's consent. */
  readonly testCommand?: string;
  /** The plan's file takes no marks: only the journal records what is done, and a later run continues from the last one. */
  readonly marks?: 'journal';
}

/** A state change that the runner may write into a plan. */
export interface Mark {
  readonly id: string;
  readonly to: Exclude<ItemStatus, 'in-progress'>;
  readonly note?: string;
  /** Time of the mark in epoch milliseconds, for formats that store it. */
  readonly at?: number;
  /** Back to pending for another attempt: counters continue. Without it, pending resets them. */
  readonly again?: true;
}

/** An attempt that is about to begin, for formats that store it. */
export interface Begin {
  readonly id: string;
  readonly attempt: number;
  readonly at: number;
}

/** The result of a finished item's review, for formats that can store it. */
export interface ReviewMark {
  readonly id: string;
  readonly to: 'reviewed' | 'needs-fix';
  /** The item that fixes the findings. */
  readonly note?: string;
}

export interface NewItem {
  readonly id: string;
  readonly title: string;
  readonly body: string;
  readonly criteria: readonly string[];
  /** Not every format has a place for these. */
  readonly priority?: number;
  readonly dependsOn?: readonly string[];
  readonly verify?: readonly string[];
}

/** The files that a format may read; tests pass a plain object. */
export interface PlanFiles {
  read(path: string): string | undefined;
  isFolder(path: string): boolean;
  /** Names in a folder, unordered; empty if the folder does not exist. */
  list(path: string): readonly string[];
}

/** The path of a plan, and the files that may be read around it. */
export interface PlanPlace {
  readonly path: string;
  readonly files: PlanFiles;
}

/** A file and its new text; the path has the form in which it was read. */
export interface NewText {
  readonly path: string;
  readonly text: string;
}

/**
 * A parsed plan that keeps its text. A change returns a new document and alters only the bytes of the state; the rest of the text stays as
 * it was. Nothing here accesses the disk, and no function throws, whatever the text.
 */
export interface PlanDocument {
  readonly text: string;
  readonly plan: Plan;
  mark(mark: Mark): Result<PlanDocument>;
  append(item: NewItem): Result<PlanDocument>;
  /** Writes that an attempt begins. A format with this function stores every state in its file, not only `done`. */
  begin?(begin: Begin): Result<PlanDocument>;
  /** Writes the result of a review beside the item's state. */
  review?(mark: ReviewMark): Result<PlanDocument>;
  /** Other files with the mark in them, if each item has a file of its own. */
  markFiles?(mark: Mark): Result<readonly NewText[]>;
  /** Other files that the runner generates from the plan's state (a report); paths beside the state file. */
  renderings?(at: number): readonly NewText[];
}

/** One plan format: where its plans are found and how their text is parsed. No function throws. */
export interface PlanFormat {
  readonly name: string;
  /** Returns the file that contains the state, if `path` (a file or a folder) is a plan of this format. */
  find(path: string, files: PlanFiles): string | undefined;
  parse(text: string, path: string, files: PlanFiles): PlanDocument;
  /** The initial text of the state file, if it is generated from other files and does not exist yet. */
  create?(path: string, files: PlanFiles, at: number): Result<string>;
}
