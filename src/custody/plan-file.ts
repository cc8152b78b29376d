/** Protects the plan and its prompt files: an agent may add items and change nothing else. */
import { comparePlans, markPlan, type OpenPlan, planFrom, withItems } from '../plan/index.ts';
import { readAgain, readBytes, writeAtomic, writeOwn } from '../util/files.ts';
import { ok } from '../util/result.ts';
import { type Change, type Thing, UNCHANGED } from './hold.ts';
import { restoreKind } from './owned-file.ts';
import { holdPrompts, type KeepEdited } from './prompts.ts';

export interface PlanHeld {
  readonly given: OpenPlan;
  /** The target of the plan's path, if it is a link that the person made. */
  readonly link: string | undefined;
  /** The item in work: its own mark counts as a claim, not as an edit. */
  readonly item: string;
  /** Keeps the edited version, because a person may have edited the plan at the same time. */
  readonly keep: KeepEdited;
}

export interface PlanFound extends Change {
  /** The agent marked its own item as done in the plan, which counts as a claim. */
  readonly markedOwn: boolean;
  /** The plan that is in the file now: the original, with the added items. */
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
  const compared = comparePlans({ given: given.plan, found: found.plan, item });
  const { markedOwn, added } = compared;
  const isUnknown = !compared.reworded && !markedOwn && added.length + compared.edits.length === 0;
  const edits = [
    ...compared.edits,
    ...(compared.reworded ? ['changed the plan around its items'] : []),
    ...(isUnknown ? ['edited the plan file'] : []),
  ];
  const grown = compared.edits.length > 0 || added.length === 0 ? undefined : grownPlan();
  const plan = grown ?? given;
  if (edits.length > 0) keep('plan.edited', bytes);
  writeAtomic(given.path, plan.bytes);
  if (plan !== given) return { markedOwn, edits: [...replaced, ...edits], plan, added };
  // If an edit is undone, added items are removed with it and have to be named: a person may have added them.
  return { markedOwn, edits: [...replaced, ...edits, ...added.map(id => `added ${id}`)], plan, added: [] };

  function grownPlan(): OpenPlan | undefined {
    if (compared.reworded)
      return withItems(
        given,
        found.plan.items.filter(({ id }) => added.includes(id)),
      );
    const unmarked = markedOwn ? markPlan(found, { id: item, to: 'pending' }) : ok(found);
    return unmarked.ok ? unmarked.value : undefined;
  }
}

const wasReplaced = (instead: string | undefined): readonly string[] =>
  instead === undefined ? [] : [`the plan file was replaced by ${instead}`];

export interface PlanCopied {
  readonly path: string;
  readonly link: string | undefined;
  /** A copy of the plan's bytes, if git does not track the plan; on disk, so it survives a crash. */
  readonly copy: string | undefined;
  /** Where an edited version is kept. */
  readonly edited: string;
}

/** The plan, for programs that may not change it at all; its content is in git or in a copy. */
export const heldPlanCopy =
  (copied: PlanCopied): Thing =>
  () =>
  () => {
    const replaced = wasReplaced(restoreKind(copied.path, copied.link));
    return { edits: [...replaced, ...(putCopyBack(copied) ? ['the plan was edited'] : [])] };
  };

/** Returns whether the plan had to be restored. Without a copy, git restores the plan with the tree. */
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

/** The config as it was when the run started. */
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
