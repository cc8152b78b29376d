/** Files that steer pipelines and agents: an item has to name them to change them. */
import { type Look, names } from '../look.ts';
import { isCi, isHook } from '../roles.ts';
import { turnedNotes } from './notes-turned-permissive.ts';
import { type Found, quote, type Rule } from './rule.ts';
import { onlyTighter } from './tighter-settings.ts';

export const ciEdited: Rule = {
  id: 'ci-edited',
  level: 'block',
  inRange: 'note',
  about: 'A pipeline or a hook changed although the item does not speak of it.',
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
    'Settings that decide what an agent may do or what a tool runs by itself, and rules for agents turned into permissions.',
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

/** What only became stricter loosens nothing; registry settings without a key or a script are settings like others. */
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
  about: 'Words that agents are given to read.',
  check: look =>
    look.changes.flatMap(({ path, kind }): readonly Found[] => {
      if (!NOTES.test(path) || names(look, path)) return [];
      return [{ message: `${path} is read by every agent and was ${kind}`, path }];
    }),
};
