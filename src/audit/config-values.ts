/** Settings in any notation: `key: value` and `key = value` with the sections around them, and lists. */

import { places } from '../util/text.ts';
import type { Language } from './language.ts';
import { mask } from './mask.ts';

export interface Setting {
  /** The keys around it and its own, separated by dots. */
  readonly path: string;
  readonly key: string;
  readonly value: string;
  readonly line: number;
}

/** The lookbehind makes a key start only at a word start: starting at every letter would take quadratic time on long words. */
const TOKEN =
  /^[ \t]*\[+([^\]\n]+)\]+[ \t]*$|(?:["']([@\w][\w@./*:-]*)["']|(?<![\w@][./*-]*)([@\w][\w@./*-]*)["']?)[ \t]*(?:=>|[:=])[ \t]*(?:(\{|\[[ \t]*\{)|(\[?)[ \t]*(?:["']([^"'\n]*)["']|([^\s,{}[\]"'#;]+))?)|([{}])/gm;

let last: { readonly text: string; readonly language: Language; readonly code: string } | undefined;

/** Cached for the last text, because many lists are read from one text in a row. */
function withoutComments(text: string, language: Language): string {
  if (last?.text === text && last.language === language) return last.code;
  const { code } = mask(text, language);
  last = { text, language, code };
  return code;
}

/** Reads all settings. Braces nest JSON and JavaScript, indentation nests YAML, headings nest TOML and INI. */
export function settingsOf(text: string, language: Language): readonly Setting[] {
  const masked = withoutComments(text, language);
  // Kotlin build files set values by calls.
  const code = language === 'kotlin' ? masked.replace(/\.set\((true|false|\d+)\)/g, ' = $1') : masked;
  if (language === 'xml') return fromXml(code);
  const byIndent = language === 'yaml';
  const found: Setting[] = [];
  const stack: { key: string; indent: number }[] = [];
  let section = '';
  let line = 1;
  let seen = 0;
  for (const match of code.matchAll(TOKEN)) {
    for (
      let at = code.indexOf('\n', seen);
      at >= 0 && at < match.index + leading(match[0]);
      at = code.indexOf('\n', at + 1)
    ) {
      line += 1;
      seen = at + 1;
    }
    const [, heading, named, word, opens, , quoted, plain, brace] = match;
    const key = named ?? word ?? '';
    if (heading !== undefined) {
      section = heading;
      continue;
    }
    if (brace === '{') {
      stack.push({ key: '', indent: 0 });
      continue;
    }
    if (brace === '}') {
      stack.pop();
      continue;
    }
    const indent = columnOf(code, match.index + leading(match[0]));
    if (byIndent) while (stack.length > 0 && indent <= (stack.at(-1)?.indent ?? 0)) stack.pop();
    const path = [section, ...stack.map(entry => entry.key), key].filter(Boolean).join('.');
    if (opens !== undefined) {
      stack.push({ key, indent });
      continue;
    }
    const value = quoted ?? plain;
    if (byIndent && value === undefined) stack.push({ key, indent });
    else if (value !== undefined) found.push({ path, key, value, line });
  }
  return found;
}

/** Elements with a single value, and attributes that are a number or a boolean. */
function fromXml(code: string): readonly Setting[] {
  const place = places(code);
  const hasModules = code.includes('<module name="');
  return [
    ...code.matchAll(
      /<([\w.:-]+)>\s*([^<>\s]+)\s*<\/\1>|<property name="([\w.]+)" value="([^"]*)"|(?<=\s)([A-Za-z][\w.]*)="(true|false|\d+)"/g,
    ),
  ].map(match => {
    const key = match[1] ?? match[3] ?? match[5] ?? '';
    // A property belongs to the module around it.
    const at = match[3] === undefined || !hasModules ? -1 : code.lastIndexOf('<module name="', match.index);
    const module = at < 0 ? undefined : /^<module name="(\w+)"/.exec(code.slice(at, at + 200))?.[1];
    return {
      path: module === undefined ? key : `${module}.${key}`,
      key,
      value: match[2] ?? match[4] ?? match[6] ?? '',
      line: place(match.index).line,
    };
  });
}

const leading = (text: string): number => text.length - text.trimStart().length;

function columnOf(text: string, at: number): number {
  return at - (text.lastIndexOf('\n', at - 1) + 1);
}

export interface ListEntry {
  readonly key: string;
  readonly entry: string;
  readonly line: number;
}

const EQUALS = /["']?(?<![\w@][./*-]*)([@\w][\w@./*-]*)["']?[ \t]*=[ \t]*/g;
const COLON = /["']?(?<![\w@][./*-]*)([@\w][\w@./*-]*)["']?[ \t]*:[ \t]*/g;
const EITHER = /["']?(?<![\w@][./*-]*)([@\w][\w@./*-]*)["']?[ \t]*(?:=>|[:=])[ \t]*/g;

/** Entries of the lists under matching keys, written in brackets, with dashes, or one per indented line. */
export function listsOf(text: string, language: Language, keys: RegExp): readonly ListEntry[] {
  const code = withoutComments(text, language);
  const lines = code.split('\n');
  const found: ListEntry[] = [];
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    for (const match of line.matchAll(
      language === 'toml' ? EQUALS : language === 'yaml' || language === 'json' ? COLON : EITHER,
    )) {
      const key = match[1] ?? '';
      if (!keys.test(key)) continue;
      const rest = line.slice(match.index + match[0].length);
      if (rest.startsWith('[') || rest.startsWith('(') || rest.startsWith('{')) {
        bracketed({ lines, at, from: line.length - rest.length, key }, found);
      } else if (rest.trim() === '' || rest.trim() === '|' || rest.trim() === '\\')
        indented({ lines, at, key, language }, found);
      else {
        for (const entry of rest.split(/[,\s]+/)) push(found, key, entry, at + 1);
        indented({ lines, at, key, language }, found);
      }
      break;
    }
  }
  return found;
}

interface ListStart {
  readonly lines: readonly string[];
  readonly at: number;
  readonly key: string;
}

function bracketed({ lines, at, from, key }: ListStart & { readonly from: number }, found: ListEntry[]): void {
  let depth = 0;
  for (let index = at; index < Math.min(lines.length, at + 300); index++) {
    const text = index === at ? (lines[index] ?? '').slice(from) : (lines[index] ?? '');
    for (const match of text.matchAll(/[[({]|[\])}]|["'`]([^"'`\n]*)["'`]|\/((?:\\.|[^/\n])+)\//g)) {
      if ('[({'.includes(match[0])) depth += 1;
      else if ('])}'.includes(match[0])) {
        depth -= 1;
        if (depth === 0) return;
      } else push(found, key, match[1] ?? match[2] ?? '', index + 1);
    }
  }
}

function indented({ lines, at, key, language }: ListStart & { readonly language: Language }, found: ListEntry[]): void {
  const own = leading(lines[at] ?? '');
  for (let index = at + 1; index < lines.length; index++) {
    const line = lines[index] ?? '';
    if (line.trim() === '') continue;
    const dash = /^\s*-\s+(.*)$/.exec(line);
    // In YAML, the dashes of a list may have the same indentation as their key.
    if (leading(line) < own || (leading(line) === own && !(dash && language === 'yaml'))) return;
    if (leading(line) === own && !dash) return;
    if (dash)
      push(
        found,
        key,
        (/^path:\s*(.+)$/.exec(dash[1] ?? '')?.[1] ?? dash[1] ?? '').replace(/^["']|["']$/g, '').split(/:\s/)[0] ?? '',
        index + 1,
      );
    else if (language === 'toml' && /^(?:exclude_(?:lines|also)|(?:extend-)?per-file-ignores)$/.test(key))
      push(found, key, line.trim(), index + 1);
    else if (language === 'toml' && !/^\s*[\w-]+\s*=/.test(line))
      for (const entry of line.split(/[,\s]+/)) push(found, key, entry, index + 1);
    else if (language === 'yaml') return;
  }
}

function push(found: ListEntry[], key: string, entry: string, line: number): void {
  const text = entry.replace(/^["']|["'],?$/g, '').trim();
  if (text !== '' && text !== '\\') found.push({ key, entry: text, line });
}
