/**
 * Files that cannot be reviewed: binaries, texts that are too large, and files that became executable programs.
 *
 *     - src/tax.js: 200 lines of code
 *     + src/tax.js: one line of 90,000 characters, or a compiled program
 */
import type { Change } from '../../protocol.ts';
import { showBytes } from '../../util/show.ts';
import { isCode, languageOf } from '../language.ts';
import type { Look } from '../look.ts';
import { roleOf } from '../roles.ts';
import { type Found, type Rule, some } from './rule.ts';

const PICTURES = /\.(?:png|jpe?g|gif|webp|avif|ico|icns|bmp|svgz?|woff2?|ttf|otf|eot|mp[34]|webm|wav|ogg|pdf|lottie)$/i;
const PROGRAMS =
  /\.(?:exe|dll|so(?:\.\d+)*|dylib|o|a|lib|obj|class|pyc|pyo|node|jar|war|ear|apk|ipa|deb|rpm|msi|dmg|bin)$/i;
const LARGE = 5 * 1024 * 1024;

export const binary: Rule = {
  id: 'binary',
  level: 'block',
  about: 'A file that is not text: compiled code, an archive, or obfuscated code.',
  check: look => opaque(look).flatMap(change => judge(change, look.input.size?.(change.path))),
};

export const unread: Rule = {
  id: 'unread',
  level: 'warn',
  about: 'A text file that is too large to check.',
  check: look => {
    const unseen = look.unread.filter(change => !isOpaque(change, look)).map(({ path }) => path);
    const [path] = unseen;
    return path === undefined ? [] : [{ message: `too large to check: ${some(unseen)}`, path }];
  },
};

export const modeChange: Rule = {
  id: 'mode-change',
  level: 'warn',
  about: 'A file became executable, or changed its type (file, link).',
  check: ({ changes, files }) =>
    changes.flatMap(({ path, kind, mode, oldMode }): readonly Found[] => {
      if (kind === 'type-changed')
        return [{ message: `${path} changed its kind (mode ${oldMode ?? '?'} to ${mode})`, path }];
      if (kind !== 'modified' || oldMode !== '100644' || mode !== '100755') return [];
      const script = files.find(file => file.path === path)?.after.text.startsWith('#!') ?? false;
      return [{ message: `${path} was made executable`, path, ...(script && { level: 'note' as const }) }];
    }),
};

const isRegular = (mode: string): boolean => mode.startsWith('100');

function opaque(look: Look): readonly Change[] {
  // Without file contents, git's own judgement has to do.
  const candidates = look.input.text ? look.unread : look.changes;
  return candidates.filter(change => change.kind !== 'deleted' && isOpaque(change, look));
}

/** A text file that a git attribute calls binary can still be read, so it is not included. */
const isOpaque = ({ binary: noText, mode, kind }: Change, _: Look): boolean =>
  noText && isRegular(mode) && kind !== 'deleted';

function judge({ path, kind }: Change, bytes: number | undefined): readonly Found[] {
  if (bytes !== undefined && bytes > LARGE)
    return [{ message: `${path} is a binary file of ${showBytes(bytes)}`, path }];
  if (PICTURES.test(path)) return [{ message: `${path} is a binary file`, path, level: 'note' }];
  if (isCode(languageOf(path)))
    return [{ message: `${path} should be code, but is not text, so it cannot be reviewed`, path }];
  const data = roleOf(path) === 'fixture' || /gradle-wrapper\.jar$/.test(path) || kind === 'modified';
  if (PROGRAMS.test(path) && !data) return [{ message: `${path} is compiled code, which cannot be reviewed`, path }];
  return [{ message: `${path} is a binary file`, path, level: 'warn' }];
}
