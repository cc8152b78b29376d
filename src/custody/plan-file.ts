/** The plan and the files that hold its words: an agent may add items to it, and nothing else. */
import { comparePlans, markPlan, type OpenPlan, planFrom } from '../plan/index.ts';
import { readAgain, readBytes, writeAtomic, writeOwn } from '../util/files.ts';
import { ok } from '../util/result.ts';
import { type Change, type Thing, UNCHANGED } from './hold.ts';
import { restoreKind } from './owned-file.ts';
import { holdPrompts, type KeepEdited } from './prompts.ts';

export interface PlanHeld {
  readonly given: OpenPlan;
  /** Where the plan's path points when it is a link of the person's. */
  readonly link: string | undefined;
  /** The item that is worked on: its own mark is a claim, not an edit. */
  readonly item: string;
  /** Keeps what was found under this name: a person may have been editing at the same moment. */
  readonly keep: KeepEdited;
}

export interface PlanFound extends Change {
  /** The agent marked its own item done in the plan: a claim like any other. */
  readonly markedOwn: boolean;
  /** What is in the file now: the plan as it was given, with the items that were added. */
  readonly plan: OpenPlan;
  readonly added: readonly string[];
}

export const heldPlan =
  (held: PlanHeld): Thing<PlanFound> =>
  () => {
    const putPromptsBack = holdPrompts(held);
    return () => {
      const found = putFileBack(held);
      return { ...found, edits: [...found.edits, ...putPromptsBack(found.plan)] };
    };
  };

function putFileBack({ given, link, item, keep }: PlanHeld): PlanFound {
  const bytes = readAgain(given.path, given.bytes);
  const instead = restoreKind(given.path, link);
  const same = { markedOwn: false, plan: given, added: [] };
  if (!instead && bytes?.equals(given.bytes)) return { ...same, edits: [] };
  const replaced = wasReplaced(instead);
  if (!bytes) {
    writeAtomic(given.path, given.bytes);
    return { ...same, edits: instead ? replaced : ['the plan file was deleted'] };
  }
  const found = planFrom(given, bytes);
  const { markedOwn, edits, added } = comparePlans({ given: given.plan, found: found.plan, item });
  const grown = edits.length === 0 && added.length > 0;
  const unmarked = grown ? (markedOwn ? markPlan(found, { id: item, to: 'pending' }) : ok(found)) : undefined;
  const plan = unmarked?.ok ? unmarked.value : given;
  if (edits.length > 0) keep('plan.edited', bytes);
  writeAtomic(given.path, plan.bytes);
  if (plan !== given) return { markedOwn, edits: [...replaced, ...edits], plan, added };
  // With an edit that is put back, what was added goes too, and has to be named: a person may have done both.
  return { markedOwn, edits: [...replaced, ...edits, ...added.map(id => `added ${id}`)], plan, added: [] };
}

const wasReplaced = (instead: string | undefined): readonly string[] =>
  instead === undefined ? [] : [`the plan file was replaced by ${instead}`];

export interface PlanCopied {
  readonly path: string;
  readonly link: string | undefined;
  /** Its bytes, in a file of the runner's, where git does not see the plan; a crash does not lose them. */
  readonly copy: string | undefined;
  /** Where what is found instead is kept. */
  readonly edited: string;
}

/** The plan where nobody may change anything in it, and whose bytes are in git or in a copy. */
export const heldPlanCopy =
  (copied: PlanCopied): Thing =>
  () =>
  () => {
    const replaced = wasReplaced(restoreKind(copied.path, copied.link));
    return { edits: [...replaced, ...(putCopyBack(copied) ? ['the plan was edited'] : [])] };
  };

/** Whether it had to be. Without a copy there is nothing to do: git has the plan. */
export function putCopyBack({ path, copy, edited }: Omit<PlanCopied, 'link'>): boolean {
  const before = copy === undefined ? undefined : readBytes(copy);
  const now = readBytes(path);
  if (!before || now?.equals(before)) return false;
  if (now) writeOwn(edited, now);
  writeAtomic(path, before);
  return true;
}

export interface OwnedFile {
  readonly file: string;
  readonly bytes: Buffer;
  readonly link: string | undefined;
}

/** The config, as it was when the run began. */
export const heldConfig =
  (config: OwnedFile | undefined): Thing =>
  () =>
  () => {
    if (!config) return UNCHANGED;
    const now = readAgain(config.file, config.bytes);
    const instead = restoreKind(config.file, config.link);
    if (!instead && now?.equals(config.bytes)) return UNCHANGED;
    writeAtomic(config.file, config.bytes);
    if (instead) return { edits: [`the config file was replaced by ${instead}`] };
    return { edits: [now ? 'the config file was edited' : 'the config file was deleted'] };
  };
