/** The prompts of a groups plan: docs/ralph/prompts/group-N.md, one file per group. */
import { dirname, join } from 'node:path';
import type { PlanFiles } from '../protocol.ts';
import { oneLine } from '../util/show.ts';
import { rootOf, wordsAt } from './front-matter.ts';

/** Paths of a groups plan, relative to the folder of its state file. */
const DOCS = 'docs/ralph';
export const PROMPTS = `${DOCS}/prompts`;
export const SHARED = `${DOCS}/shared-context.md`;
export const NOTES = `${DOCS}/RALPH_NOTES.md`;
export const REPORT = `${DOCS}/RALPH_REPORT.md`;

/** The original runner of this format expects exactly this name, without leading zeros. */
const NAME = /^group-([1-9]\d{0,8})\.md$/;
const LIKE = /^group[-_ ]?.*\.(?:md|markdown|txt)$/i;

export interface GroupPrompt {
  readonly id: number;
  /** Relative to the folder of the state file. */
  readonly path: string;
  readonly title: string;
  /** Everything below the front matter. */
  readonly body: string;
  /** The number in its heading, if that differs from the file name. */
  readonly headed?: number;
  readonly model?: string;
  readonly effort?: string;
  /** Guards that a person lifts for this group. */
  readonly allow?: readonly string[];
  /** Check commands of its own. */
  readonly verify?: readonly string[];
}

export interface GroupPrompts {
  /** In numeric order: 10 comes after 9. */
  readonly prompts: readonly GroupPrompt[];
  /** Names that resemble a group's prompt but do not match the pattern. */
  readonly strange: readonly string[];
  /** Prompts that cannot be read as text. */
  readonly unreadable: readonly string[];
}

/** Whether a folder listing contains group prompts, correctly named or not. */
export const hasPrompts = (names: readonly string[]): boolean => names.some(name => LIKE.test(name));

/** The prompts that belong to a state file. */
export function readPrompts(state: string, files: PlanFiles): GroupPrompts {
  const names = files.list(join(dirname(state), PROMPTS));
  const numbered = names.flatMap(name => {
    const id = Number(NAME.exec(name)?.[1]);
    return Number.isInteger(id) ? [{ id, path: `${PROMPTS}/${name}` }] : [];
  });
  const read = numbered
    .toSorted((a, b) => a.id - b.id)
    .map(({ id, path }) => ({ id, path, text: files.read(join(dirname(state), path)) }));
  return {
    prompts: read.flatMap(({ id, path, text }) => (text === undefined ? [] : [{ id, path, ...readPrompt(id, text) }])),
    strange: names.filter(name => LIKE.test(name) && !NAME.test(name)).toSorted(),
    unreadable: read.flatMap(({ path, text }) => (text === undefined ? [path] : [])),
  };
}

function readPrompt(id: number, text: string): Omit<GroupPrompt, 'id' | 'path'> {
  const { body, model, effort, allow, verify } = splitFrontMatter(text);
  const heading = /^#[ \t]+(\S.*?)[ \t#]*\r?$/m.exec(body)?.[1] ?? '';
  const [, number, rest = ''] = /^Group[ \t]+(\d{1,9})\b[ \t]*[:.–—-]*[ \t]*(.*)$/i.exec(heading) ?? [];
  const title = oneLine(number === undefined ? heading : rest, 200) || `Group ${id}`;
  return {
    title,
    body,
    ...(number === undefined || Number(number) === id ? {} : { headed: Number(number) }),
    ...(model ? { model } : {}),
    ...(effort ? { effort } : {}),
    ...(allow.length > 0 ? { allow } : {}),
    ...(verify.length > 0 ? { verify } : {}),
  };
}

interface FrontMatter {
  readonly body: string;
  readonly model: string;
  readonly effort: string;
  readonly allow: readonly string[];
  readonly verify: readonly string[];
}

/** Splits the runner's settings from the prompt. Most are read line by line, so that they count even in invalid YAML. */
function splitFrontMatter(text: string): FrontMatter {
  const found = /^---[ \t]*\r?\n([\s\S]*?)^---[ \t]*(?:\r?\n|$)/m.exec(text);
  if (found?.index !== 0) return { body: text, model: '', effort: '', allow: [], verify: [] };
  const value = (key: string): string => {
    const line = new RegExp(`^${key}[ \\t]*:[ \\t]*(.*)$`, 'm').exec(found[1] ?? '')?.[1]?.trim() ?? '';
    return /^(["'])(.*?)\1/.exec(line)?.[2] ?? line.replace(/(?:^|\s)#.*$/, '').trim();
  };
  const allow = value('allow')
    .split(/[,\s[\]"']+/)
    .filter(Boolean);
  const root = rootOf(text);
  const verify = root ? wordsAt(root, 'verify') : [];
  return { body: text.slice(found[0].length), model: value('model'), effort: value('effort'), allow, verify };
}
