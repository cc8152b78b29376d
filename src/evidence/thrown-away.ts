/** Errors that were heard before and are thrown away now, with a word that keeps the linter from saying so. */
import type { Line, LookFile } from './look.ts';
import { linesWith } from './matches.ts';

const DROPPED = /^[^\S\n]*(?:let\s+)?_(?:\s*,\s*_)*\s*:?=\s*([\w.:]+)\(/gm;
const QUIET = /nolint|lint:ignore|#\[allow|nosec|noqa|NOSONAR/;
/** What is only tidied up may fail. */
const TIDIES = /(?:Close|Remove|RemoveAll|Flush|Sync|Unlock|Print\w*|close|remove|flush)$/;

export function thrownAway(file: LookFile, lines: readonly Line[]): readonly Line[] {
  if ((file.language !== 'go' && file.language !== 'rust') || file.removed.length === 0) return [];
  return linesWith(lines, DROPPED).filter(({ code, text, number }) => {
    DROPPED.lastIndex = 0;
    const call = DROPPED.exec(code)?.[1] ?? '';
    const above = file.after.lines[number - 2] ?? '';
    if (call === '' || TIDIES.test(call) || !(QUIET.test(text) || QUIET.test(above))) return false;
    return file.removed.some(
      line => line.code.includes(`${call}(`) && /\berr\w*\s*:?=|\)\?|\bif let Err\b|\breturn\b/.test(line.code),
    );
  });
}
