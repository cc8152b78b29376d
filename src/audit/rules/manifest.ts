/**
 * Dependencies of a project, and scripts that run when they are installed.
 *
 *     - "dependencies": {"zod": "4.1.0"}
 *     + "dependencies": {"zod": "4.1.0", "left-pad": "1.3.0"}   although the item does not speak of it
 */
import { dependenciesOf, isManifest, lockfilesOf } from '../dependencies.ts';
import { type Look, type LookFile, names } from '../look.ts';
import { isInDocument } from '../named-documents.ts';
import { type Found, quote, type Rule, some } from './rule.ts';
import { scriptsOf } from './scripts.ts';

interface Changed {
  readonly added: readonly string[];
  readonly other: readonly string[];
}

function changedDependencies(file: LookFile): Changed {
  const before = dependenciesOf(file.path, file.before.text);
  const after = dependenciesOf(file.path, file.after.text);
  const added = [...after.keys()].filter(name => !before.has(name));
  const bumped = [...after]
    .filter(([name, version]) => before.has(name) && before.get(name) !== version)
    .map(([name]) => name);
  const gone = [...before.keys()].filter(name => !after.has(name));
  return { added, other: [...bumped, ...gone] };
}

const lineOf = (file: LookFile, name: string | undefined): number =>
  file.added.find(line => name !== undefined && line.text.includes(name))?.number ??
  file.removed.find(line => name !== undefined && line.text.includes(name))?.number ??
  1;

export const manifest: Rule = {
  id: 'manifest',
  level: 'block',
  inRange: 'warn',
  about: 'A dependency changed although neither the item nor a document that it names mentions it.',
  check: look => {
    if (look.input.rules.manifests === 'free') return [];
    return look.files.flatMap((file): readonly Found[] => {
      // A new project has to declare its dependencies.
      if (!isManifest(file.path) || file.role === 'fixture' || file.before.text === '') return [];
      const { added, other } = changedDependencies(file);
      const touched = [...added, ...other].filter(name => !isNamed(look, file.path, name));
      const [first] = touched;
      if (first === undefined) return [];
      const message = `changed dependencies that neither the item nor a document it names mentions: ${some(touched)}`;
      const soft = look.scope === 'range' && added.length === 0 ? ({ level: 'note' } as const) : {};
      return [{ message, path: file.path, line: lineOf(file, first), ...soft }];
    });
  },
};

function isNamed(look: Look, path: string, name: string): boolean {
  if (look.scope === 'range') return false;
  if (names(look, path) || look.words.includes(name.toLowerCase()) || isInDocument(look, name)) return true;
  return /\bdependenc(?:y|ies)\b|\blockfile\b|\b(?:install|upgrade|update|bump|add)\s+(?:the\s+)?(?:\w+\s+)?(?:packages?|librar(?:y|ies)|modules?|crates?|gems?|versions?)\b/.test(
    look.words,
  );
}

export const manifestLock: Rule = {
  id: 'manifest-lock',
  level: 'block',
  about: 'A dependency in the manifest is missing from the lockfile.',
  check: look =>
    look.files.flatMap((file): readonly Found[] => {
      if (!isManifest(file.path) || file.role === 'fixture') return [];
      const lock = lockOf(look, file);
      if (!lock) return [];
      const { added, other } = changedDependencies(file);
      const after = dependenciesOf(file.path, file.after.text);
      const unknown = [...added, ...other].filter(name => after.has(name) && !knows(lock, name, after.get(name) ?? ''));
      const [first] = unknown;
      if (first === undefined) return [];
      const message = `${lock.path} does not know ${some(unknown)} as ${file.path} asks for; run the package manager and commit both`;
      return [{ message, path: file.path, line: lineOf(file, first) }];
    }),
};

interface Lock {
  readonly path: string;
  readonly text: string;
}

function lockOf(look: Look, { path, before }: LookFile): Lock | undefined {
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  for (const candidate of lockfilesOf(path)) {
    const changed = look.files.find(file => file.path === candidate);
    const text = changed ? changed.after.text : look.input.unchanged?.get(candidate);
    if (text) {
      const lock = { path: candidate, text };
      // A lockfile at the root applies to a folder only if the folder is part of its workspace.
      const own = candidate.startsWith(folder) && !candidate.slice(folder.length).includes('/');
      const known = [...dependenciesOf(path, before.text)];
      if (own || (known.length > 0 && known.every(([name, version]) => knows(lock, name, version)))) return lock;
      return undefined;
    }
    // Changed, but too large to read: it has to be trusted.
    if (look.changes.some(change => change.path === candidate)) return undefined;
  }
  return undefined;
}

function knows({ path, text }: Lock, name: string, version: string): boolean {
  if (/^(?:workspace|file|link|portal|npm|git|https?|\.)/.test(version) || version.includes('path')) return true;
  if (!text.toLowerCase().includes(name.toLowerCase())) return false;
  if (/package-lock\.json$|npm-shrinkwrap\.json$/.test(path))
    return text.includes(`${JSON.stringify(name)}: ${JSON.stringify(version)}`);
  if (/yarn\.lock$/.test(path)) return text.includes(`${name}@${version}`) || text.includes(`${name}@npm:${version}`);
  if (/go\.sum$/.test(path)) return text.includes(`${name} ${version}`);
  return true;
}

const INSTALL = /^(?:pre|post)?install$|^prepare$|^(?:pre|post)prepare$|^preuninstall$|^postuninstall$/;
const USUAL =
  /^(?:husky(?:\s+install)?|npx husky(?:\s+install)?|lefthook install|simple-git-hooks|patch-package|prisma generate|npx prisma generate|nuxt prepare|nuxi prepare|svelte-kit sync|electron-builder install-app-deps|node-gyp rebuild|tsc(?: -p \S+)?|(?:npm|pnpm|yarn|bun) (?:run )?(?:build|compile|prepare)\S*|ngcc|is-ci \|\| husky.*|ts-patch install.*|wireit|playwright install.*)$/;

export const installScript: Rule = {
  id: 'install-script',
  level: 'block',
  about: 'A command that runs whenever the project is installed.',
  check: look =>
    look.files.flatMap((file): readonly Found[] => {
      if (!/(^|\/)package\.json$/.test(file.path) || file.role === 'fixture') return [];
      const before = scriptsOf(file, 'before');
      return [...scriptsOf(file, 'after')].flatMap(([name, { command, line }]): readonly Found[] => {
        if (!INSTALL.test(name) || before.get(name)?.command === command) return [];
        const usual = USUAL.test(command.trim()) || look.words.includes(name);
        const message = `the script ${quote(name)} (${quote(command)}) runs on every install`;
        return [{ message, path: file.path, line, ...(usual && { level: 'note' as const }) }];
      });
    }),
};
