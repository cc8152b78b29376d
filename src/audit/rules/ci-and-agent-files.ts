/**
 * Files that control pipelines and agents: an item has to name them to change them.
 *
 *     - permissions: {deny: [Bash(rm:*)]}
 *     + permissions: {}   in .claude/settings.json, of which the item does not speak
 */

import { isRecord, parseJson } from '../../util/json.ts';
import type { Line } from '../line.ts';
import { type Look, type LookFile, names } from '../look.ts';
import { linesWith, textOf } from '../matches.ts';
import { isCi, isHook } from '../roles.ts';
import { type Found, quote, type Rule } from './rule.ts';

export const ciEdited: Rule = {
  id: 'ci-edited',
  level: 'block',
  inRange: 'note',
  about: 'A pipeline or a hook changed although the item does not mention it.',
  check: look =>
    look.changes.flatMap(({ path, kind }): readonly Found[] => {
      if (!isCi(path) && !isHook(path)) return [];
      if (
        names(look, path) ||
        /\b(?:ci|continuous integration|workflows?|pipelines?|github actions?|gitlab|jenkins|circleci|pre-commit|hooks?|husky)\b/.test(
          look.words,
        )
      )
        return [];
      return [{ message: `${path} was ${kind}; the item has to name it for that`, path }];
    }),
};

const CONTROL =
  /^(?:\.claude\/(?:settings[^/]*\.json|hooks\/.*|agents\/.*\.(?:json|sh|py|js|ts)|\.mcp\.json)|\.codex\/.*\.(?:toml|json)|\.cursor\/(?:mcp\.json|hooks\.json|environment\.json|cli\.json)|\.mcp\.json|mcp\.json|\.gemini\/(?:settings\.json|\.env)|\.aider\.conf\.yml|\.windsurf\/.*\.json|\.roo\/.*\.json|opencode\.jsonc?|\.opencode\/.*\.(?:json|ts|js)|\.continue\/config\.\w+|\.amp\/.*\.json|\.vscode\/(?:tasks|mcp)\.json|\.kiro\/(?:hooks|settings)\/.*)$|(^|\/)\.(?:npmrc|yarnrc(?:\.yml)?|pypirc)$/;
const NOTES =
  /(^|\/)(?:CLAUDE|AGENTS|GEMINI|AGENT)(?:\.local)?\.md$|^\.claude\/(?:commands|skills|agents|rules)\/|^\.cursor\/rules\/|^\.(?:cursor|windsurf|cline)rules$|^\.github\/(?:copilot-instructions\.md|instructions\/|prompts\/)|^\.(?:clinerules|roorules)/;

export const agentControl: Rule = {
  id: 'agent-control',
  level: 'block',
  about:
    'Settings that control what an agent may do or what a tool runs automatically, and agent instructions that were turned into permissions.',
  check: look => [
    ...look.changes.flatMap(({ path, kind }): readonly Found[] => {
      if (!CONTROL.test(path) || kind === 'deleted' || names(look, path)) return [];
      return [
        {
          message: `${path} steers agents or tools and was ${kind}; the item has to name it for that`,
          path,
          ...harmless(look, path),
        },
      ];
    }),
    ...look.files.flatMap(file => {
      if (!/(^|\/)\.gitattributes$/.test(file.path)) return [];
      return file.added
        .filter(line => hides(line.code))
        .map(
          (line): Found => ({
            message: `${quote(line.text)} hides files from a diff, or runs a program on them`,
            path: file.path,
            line: line.number,
          }),
        );
    }),
    ...look.changes.flatMap(({ path }): readonly Found[] =>
      /^ralph\.(?:ya?ml|json)$/.test(path)
        ? [{ message: `${path} decides what these guards do`, path, level: 'warn' }]
        : [],
    ),
    ...turnedNotes(look, path => NOTES.test(path) && !names(look, path)),
  ],
};

/** A change that only tightens settings is harmless, and so are registry settings without a key or a script. */
function harmless({ files }: Look, path: string): Pick<Found, 'level'> {
  if (files.some(file => file.path === path && onlyTighter(file))) return { level: 'warn' };
  if (!/npmrc|yarnrc|tasks\.json/.test(path)) return {};
  const added =
    files
      .find(file => file.path === path)
      ?.added.map(line => line.text)
      .join('\n') ?? '';
  if (/tasks\.json/.test(path)) return /folderOpen/.test(added) ? {} : { level: 'note' };
  return /registry|ignore-scripts\s*=\s*false|script-shell|node-options|_auth|yarnPath|plugins/i.test(added)
    ? {}
    : { level: 'note' };
}

const hides = (line: string): boolean =>
  /\s(?:filter|merge|diff)=(?!union|python|ruby|golang|rust|java|cpp|csharp|css|html|markdown|php|lfs\b|binary\b)\S+/.test(
    line,
  ) ||
  (/\s(?:-diff|binary|-text -diff|linguist-generated(?:=true)?)(?:\s|$)/.test(line) &&
    /^\s*(?:\*|\S*\.(?:[cm]?[jt]sx?|py|go|rs|java|rb|kt|cs|php|swift)|\S*(?:test|spec|src)\S*)(?:\s|$)/.test(line) &&
    !/\.min\.|generated|dist\/|vendor|snap|_pb2|\.pb\./.test(line));

export const agentNotes: Rule = {
  id: 'agent-notes',
  level: 'warn',
  about: 'Instructions that agents read (AGENTS.md and the like).',
  check: look =>
    look.changes.flatMap(({ path, kind }): readonly Found[] => {
      if (!NOTES.test(path) || names(look, path)) return [];
      return [{ message: `${path} is read by every agent and was ${kind}`, path }];
    }),
};

// Agent settings that only became stricter.

const REFUSED = /^(?:deny|ask|denied|forbidden|disallowedTools|excludedTools|excludeTools|blocked\w*|exclude)$/;
const ALLOWED = /^(?:allow|allowed|allowedTools|coreTools|autoApprove|alwaysAllow|additionalDirectories)$/;

function onlyTighter({ change, path, before, after }: LookFile): boolean {
  if (change.kind !== 'modified' || !/\.jsonc?$/.test(path)) return false;
  const [old, now] = [parseJson(before.code), parseJson(after.code)];
  return old !== undefined && now !== undefined && isTighter(old, now, '');
}

function isTighter(old: unknown, now: unknown, key: string): boolean {
  if (isRecord(old) && isRecord(now))
    return [...new Set([...Object.keys(old), ...Object.keys(now)])].every(name =>
      isTighter(old[name], now[name], name),
    );
  const isList = [old, now].every(value => value === undefined || Array.isArray(value));
  if (isList && REFUSED.test(key)) return holdsAll(now, old);
  // An allow list that was added or removed as a whole may mean anything.
  if (Array.isArray(old) && Array.isArray(now) && ALLOWED.test(key)) return holdsAll(old, now);
  return JSON.stringify(old) === JSON.stringify(now);
}

function holdsAll(many: unknown, few: unknown): boolean {
  const known = new Set(listOf(many).map(value => JSON.stringify(value)));
  return listOf(few).every(value => known.has(JSON.stringify(value)));
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as readonly unknown[]) : []);

// Notes for agents in which a rule became a permission.

const TESTS = String.raw`(?:tests?|specs?|suites?|assertions?|checks?|gates?|hooks?|lint(?:er|ing)?|type ?check\w*|coverage|ci)`;
const WEAKEN = String.raw`(?:skip\w*|delet\w+|remov\w+|disabl\w+|weaken\w*|relax\w*|comment\w* out|ignor\w+|bypass\w*|xfail\w*|quarantin\w+|mut(?:e|ed|ing)|drop(?:ped|ping)?|loosen\w*|lower\w*|hard-?cod\w+|mock\w* (?:out|away)|fak\w+)`;
/** A sentence with a word for proof and a word for weakening it, in either order. */
const ABOUT = new RegExp(
  String.raw`\b${WEAKEN}\b[^.!?\n]*\b${TESTS}\b|\b${TESTS}\b[^.!?\n]*\b${WEAKEN}\b|--no-verify\b|\bno-verify\b|\bHUSKY=0|\bskip[- ]?ci\b`,
  'i',
);
const AGAINST =
  /\b(?:never|not|don'?t|do not|cannot|can'?t|mustn'?t|shouldn'?t|must not|may not|no one|nobody|without|avoid|refuse|forbidden|prohibited|disallowed|instead of|rather than|no)\b/i;
const PERMITS =
  /\b(?:may|can|could|might|allowed|fine|okay|ok|acceptable|permitted|feel free|free to|optional|when(?:ever)?|if|unless|just|simply|prefer|use|with|go ahead|should|always|commit|push)\b|^\W*(?:skip|delete|remove|disable|bypass|ignore|use|commit|push|run)\b/i;

/** A rule that the proof has to be run and has to pass. */
const DEMANDS = new RegExp(
  String.raw`\b(?:must|has to|have to|needs? to|always|required?|before (?:every|each|any)|never (?:commit|push|merge) (?:without|unless|until|with))\b`,
  'i',
);
const PROOF = new RegExp(String.raw`\b${TESTS}\b|\b(?:pass(?:es|ing)?|green)\b`, 'i');

/** A cheap test: each of the patterns above needs one of these words. */
const MAY_BE_ABOUT =
  /\bpass|green|\bmust\b|always|before (?:every|each|any)|skip|delet|remov|disabl|weaken|relax|comment|ignor|bypass|xfail|quarantin|mut(?:e|ing)|drop|loosen|lower|hard-?cod|mock|fak(?:e|ing)|no-verify|HUSKY/gi;

const sentences = (lines: readonly Line[]): readonly { readonly text: string; readonly line: number }[] =>
  linesWith(lines, MAY_BE_ABOUT, textOf).flatMap(({ text, number }) =>
    text.split(/(?<=[.!?;])\s+|,\s+(?=(?:and|but)\b)/).map(part => ({ text: part, line: number })),
  );

function turnedNotes({ files }: Pick<Look, 'files'>, isNote: (path: string) => boolean): readonly Found[] {
  return files.flatMap((file): readonly Found[] => {
    if (!isNote(file.path) || file.removed.length === 0 || file.added.length === 0) return [];
    const rules = sentences(file.removed).filter(isRule).length;
    // A rule that was only reworded is still there.
    if (rules === 0 || sentences(file.added).filter(isRule).length >= rules) return [];
    const allowed = sentences(file.added).find(
      ({ text }) => ABOUT.test(text) && PERMITS.test(text) && !AGAINST.test(said(text)),
    );
    if (!allowed) return [];
    const message = `${quote(allowed.text)} allows agents what a rule of ${file.path} forbade them`;
    return [{ message, path: file.path, line: allowed.line }];
  });
}

const isRule = ({ text }: { readonly text: string }): boolean =>
  (ABOUT.test(text) && AGAINST.test(said(text))) ||
  (DEMANDS.test(text) && PROOF.test(text) && !(ABOUT.test(text) && PERMITS.test(text) && !AGAINST.test(said(text))));

/** Removes the flag, whose name contains "no", and conditions: what follows `when` is not what is allowed. */
const said = (text: string): string =>
  text.replace(/--?no-verify/g, '').replace(/\b(?:when|if|unless|because|since|as long as)\b.*$/i, '');
