/**
 * The ground of the gates: the scripts they run and the settings of test runners. If an agent edits these and the item does
 * not mention them, the edit is undone before the gates run, so that it cannot change their result.
 */
import type { Change } from '../protocol.ts';
import { isRecord, parseJson } from '../util/json.ts';
import { type Look, type LookFile, names } from './look.ts';
import { isGateFile } from './roles.ts';
import { shadowed } from './shadows.ts';

export interface GroundEdit {
  readonly path: string;
  /** What was changed, as words for a sentence. */
  readonly what: string;
  /** The text to restore; undefined restores the whole file, or deletes it if it is new. */
  readonly text?: string;
}

export function groundEdits(look: Look): readonly GroundEdit[] {
  const gates = look.input.gates ?? [];
  if (gates.length === 0 || look.scope === 'range') return [];
  return look.files.filter(file => !isNamed(look, file)).flatMap(file => editOf(file, gates, look));
}

/** Whether the item's text names the file, or the tool whose settings it holds. */
function isNamed(look: Look, { path }: LookFile): boolean {
  if (names(look, path)) return true;
  const tool = TOOLS.find(({ file }) => file.test(path));
  return tool !== undefined && tool.words.test(look.words);
}

function editOf(file: LookFile, gates: readonly string[], look: Look): readonly GroundEdit[] {
  const { path, change } = file;
  if (change.kind === 'added') {
    const hidden = shadowed(path).find(other => wasThere(look, other));
    // A manifest contains more than settings, so only its sections are restored.
    if (hidden !== undefined && /(^|\/)pyproject\.toml$/.test(path)) return sectionEdit(file);
    if (hidden !== undefined) return [{ path, what: `added a file that is read instead of ${hidden}` }];
    if (isModuleOfGate(path, gates)) return [{ path, what: 'added a module that is loaded instead of the tool' }];
  }
  if (/(^|\/)conftest\.py$/.test(path)) return hookEdit(file);
  if (/(^|\/)package\.json$/.test(path)) return change.kind === 'modified' ? packageEdit(file, gates) : [];
  if (/(^|\/)(?:pyproject\.toml|setup\.cfg)$/.test(path)) return change.kind === 'modified' ? sectionEdit(file) : [];
  if (RUNNER_SETTINGS.test(path)) return [{ path, what: `${verb(change)} the settings of a test runner` }];
  const tool = TOOLS.find(({ file: pattern }) => pattern.test(path));
  // A new Makefile fragment may be one that an optional `include` already looks for.
  if (change.kind === 'added' && !path.endsWith('.mk')) return [];
  if (tool?.command && gates.some(gate => tool.command?.test(gate)))
    return [{ path, what: `${verb(change)} what the gates run` }];
  return isRunByGate(path, gates) ? [{ path, what: `${verb(change)} a script that a gate runs` }] : [];
}

const wasThere = ({ input, files }: Look, path: string): boolean =>
  input.unchanged?.has(path) === true || files.some(file => file.path === path && file.change.kind !== 'added');

/** Modules that Python loads at startup, wherever they are on its path. */
const STARTUP = /(^|\/)(?:site|user)customize(?:\.py|\/__init__\.py)$/;
const PYTHON_TOOLS = ['pytest', '_pytest', 'pluggy', 'unittest', 'doctest', 'coverage', 'nose2', 'tox', 'nox', 'mypy'];

/** `python -m pytest` runs a `pytest.py` in the current folder, if there is one. */
function isModuleOfGate(path: string, gates: readonly string[]): boolean {
  if (STARTUP.test(path)) return true;
  const [, name] = /^(\w+)(?:\.py|\/__(?:init|main)__\.py)$/.exec(path) ?? [];
  if (name === undefined) return false;
  return gates.some(
    gate =>
      [...gate.matchAll(/\s-m\s*(\w+)/g)].some(match => match[1] === name) ||
      (PYTHON_TOOLS.includes(name) && /\b(?:python|pytest|tox|nox|coverage|uv|poetry)/.test(gate)),
  );
}

const HOOK = /^[ \t]*(?:async[ \t]+)?def[ \t]+(pytest_\w+)|^[ \t]*(pytest_plugins)\b|^[ \t]*(pytest_\w+)[ \t]*=/gm;

/** An agent may write fixtures, but not hooks that change how pytest runs. */
function hookEdit({ path, before, after, change }: LookFile): readonly GroundEdit[] {
  const hooks = (text: string) =>
    new Set([...text.matchAll(HOOK)].map(match => match[1] ?? match[2] ?? match[3] ?? ''));
  const known = hooks(before.text);
  const fresh = [...hooks(after.text)].filter(name => !known.has(name));
  if (change.kind === 'deleted' || fresh.length === 0) return [];
  return [{ path, what: `${verb(change)} what tells pytest how to run (${fresh.join(', ')})` }];
}

const verb = ({ kind }: Change): string => (kind === 'added' ? 'added' : kind === 'deleted' ? 'deleted' : 'changed');

const RUNNER_SETTINGS =
  /(^|\/)(?:(?:vitest|jest|karma|mocha|ava|playwright|cypress|wdio)\.(?:config|conf|workspace)\.[\w.]+|\.mocharc[^/]*|\.jestrc[^/]*|pytest\.ini|tox\.ini|phpunit\.xml[^/]*|\.rspec(?:-local)?|\.?pytest\.(?:ini|toml)|bunfig\.toml|\.taprc|\.cargo\/config(?:\.toml)?|\.mvn\/(?:maven\.config|jvm\.config|extensions\.xml)|\.nycrc[^/]*|\.c8rc[^/]*|\.coveragerc)$/;

interface Tool {
  readonly file: RegExp;
  /** If an item contains these words, it is about the tool. */
  readonly words: RegExp;
  /** Matches a gate that runs through the tool. */
  readonly command?: RegExp;
}

const TOOLS: readonly Tool[] = [
  {
    file: /(^|\/)(?:GNUmakefile|[Mm]akefile|[^/]*\.mk)$/,
    words: /\bmakefiles?\b|`make\b|\bmake (?:targets?|check|test|lint|build)\b/,
    command: /(^|[\s;&|])make\b/,
  },
  { file: /(^|\/)\.?justfile$/i, words: /\bjustfile\b|`just\b/, command: /(^|[\s;&|])just\b/ },
  { file: /(^|\/)Taskfile\.ya?ml$/, words: /\btaskfile\b/, command: /(^|[\s;&|])task\b/ },
  { file: /(^|\/)Rakefile$/, words: /\brake(?:file)?\b/, command: /\brake\b/ },
  { file: /(^|\/)tox\.ini$/, words: /\btox\b/, command: /\btox\b/ },
  { file: /(^|\/)noxfile\.py$/, words: /\bnox(?:file)?\b/, command: /\bnox\b/ },
  { file: /(^|\/)tasks\.py$/, words: /\binvoke\b/, command: /(^|[\s;&|])inv(?:oke)?\b/ },
  { file: /(^|\/)vitest\./, words: /\bvitest\b/ },
  { file: /(^|\/)\.?jest/, words: /\bjest\b/ },
  { file: /(^|\/)\.?mocha/, words: /\bmocha\b/ },
  { file: /(^|\/)karma\./, words: /\bkarma\b/ },
  { file: /(^|\/)ava\./, words: /\bava\b/ },
  { file: /(^|\/)playwright\./, words: /\bplaywright\b/ },
  { file: /(^|\/)cypress\./, words: /\bcypress\b/ },
  { file: /(^|\/)pytest\.ini$/, words: /\bpytest\b/ },
  { file: /(^|\/)phpunit\.xml/, words: /\bphpunit\b/ },
  { file: /(^|\/)\.rspec$/, words: /\brspec\b/ },
  { file: /(^|\/)\.(?:nycrc|c8rc|coveragerc)/, words: /\bcoverage\b/ },
];

/** An agent may extend a test file that a gate names, but not a script that a gate runs. */
function isRunByGate(path: string, gates: readonly string[]): boolean {
  const named = gates.some(gate => wordsOf(gate).some(word => word.replace(/^\.\//, '') === path));
  const isScript =
    isGateFile(path) ||
    /(^|\/)(?:checks?|tests?|lint|verify|gates?|ci)(?:[-_.][^/]*)?\.(?:[cm]?[jt]s|py|rb)$/i.test(path);
  return named && isScript;
}

const wordsOf = (command: string): readonly string[] => command.split(/[\s"'`;&|()<>=]+/).filter(Boolean);

interface Package {
  scripts?: Record<string, unknown>;
  [key: string]: unknown;
}

/** Scripts that the package manager itself runs during an installation. */
const WITH_INSTALL = ['preinstall', 'install', 'postinstall', 'prepublish', 'preprepare', 'prepare', 'postprepare'];

/** Keys in package.json that hold settings of test runners. */
const PACKAGE_SETTINGS = ['jest', 'vitest', 'mocha', 'ava', 'nyc', 'c8', 'tap'];

function packageEdit({ path, before, after }: LookFile, gates: readonly string[]): readonly GroundEdit[] {
  const [old, now] = [parsePackage(before.text), parsePackage(after.text)];
  if (!old || !now) return [];
  const touched: string[] = [];
  for (const name of [...reachable(gates, old.scripts ?? {}), ...WITH_INSTALL]) {
    if (old.scripts?.[name] === now.scripts?.[name]) continue;
    touched.push(`the script ${name}`);
    now.scripts = { ...now.scripts };
    if (old.scripts?.[name] === undefined) delete now.scripts[name];
    else now.scripts[name] = old.scripts[name];
  }
  for (const key of PACKAGE_SETTINGS) {
    if (JSON.stringify(old[key]) === JSON.stringify(now[key])) continue;
    touched.push(key);
    if (old[key] === undefined) delete now[key];
    else now[key] = old[key];
  }
  if (touched.length === 0) return [];
  const indent = /^[ \t]+(?=")/m.exec(after.text)?.[0] ?? '  ';
  const end = after.text.endsWith('\n') ? '\n' : '';
  return [{ path, what: `changed ${touched.join(', ')}`, text: `${JSON.stringify(now, undefined, indent)}${end}` }];
}

function parsePackage(text: string): Package | undefined {
  const value = parseJson(text);
  return isRecord(value) ? value : undefined;
}

/** Scripts that the gates run, directly or through other scripts; their `pre` and `post` hooks run with them. */
function reachable(gates: readonly string[], scripts: Readonly<Record<string, unknown>>): ReadonlySet<string> {
  const found = new Set<string>();
  const open = [...gates];
  for (let command = open.pop(); command !== undefined; command = open.pop()) {
    if (!/\b(?:npm|pnpm|yarn|bun|npm-run-all|run-[sp]|concurrently|turbo|wireit)\b/.test(command)) continue;
    for (const word of wordsOf(command)) {
      const name = /^(?:t|tst)$/.test(word) ? 'test' : word.replace(/^npm:/, '');
      const script = scripts[name];
      if (typeof script !== 'string' || found.has(name)) continue;
      for (const each of [name, `pre${name}`, `post${name}`]) found.add(each);
      open.push(script);
    }
  }
  return found;
}

const SECTION =
  /^\[(?:tool\.pytest[^\]]*|tool:pytest|tool\.coverage[^\]]*|coverage:[^\]]*)\][\s\S]*?(?=^\[|$(?![\s\S]))/gm;

function sectionEdit({ path, before, after }: LookFile): readonly GroundEdit[] {
  const [old, now] = [before.text.match(SECTION) ?? [], after.text.match(SECTION) ?? []];
  if (old.join('').trim() === now.join('').trim()) return [];
  const rest = after.text.replace(SECTION, '').trimEnd();
  const text = `${[rest, ...old.map(section => section.trimEnd())].filter(Boolean).join('\n\n')}\n`;
  return [{ path, what: 'changed the settings of a test runner', text }];
}
