/** Work that hangs on a switch which the same change brings, off, and which nobody can turn on. */
import type { Hollow } from './hollow.ts';
import type { Look, LookFile } from './look.ts';
import { codeOf, linesWith } from './matches.ts';
import { productionLines } from './production.ts';

const SWITCH =
  /(?:\b(?:const|final|readonly|let|var|static|val)\b[^=\n]*?|^[^\S\n]*)\b([A-Za-z_$][\w$]*)(?:\s*:\s*\w+|\s+bool)?\s*=\s*(?:false|False)\s*;?$/gm;
/** Off is how these are meant to be. */
const MEANT = /debug|verbose|trace|dry|quiet|silent|disabled?|skip|strict|no[A-Z_]|legacy|deprecated|unsafe|insecure/i;

export function offByConstant(look: Look, file: LookFile): readonly Hollow[] {
  if (file.change.kind !== 'modified') return [];
  const added = productionLines(look, file);
  if (added.length === 0 || !/=\s*[fF]alse\b/.test(codeOf(added))) return [];
  return linesWith(added, SWITCH).flatMap(({ code, number }): readonly Hollow[] => {
    SWITCH.lastIndex = 0;
    const name = SWITCH.exec(code)?.[1] ?? '';
    if (name === '' || MEANT.test(name)) return [];
    const own = name.replace(/\$/g, '\\$');
    // Somebody may turn it on.
    const sets = file.after.bare.match(
      new RegExp(`(?<![\\w$])${own}(?:\\s*:\\s*\\w+|\\s+bool)?\\s*(?:=(?!=)|\\|=|:=)`, 'g'),
    );
    if ((sets?.length ?? 0) > 1 || new RegExp(`&(?:mut\\s+)?${own}\\b`).test(file.after.bare)) return [];
    const leaves = new RegExp(
      `\\bif\\s*\\(?\\s*(?:!\\s*|not\\s+)(?:self\\.|this\\.|\\w+\\.)?${own}\\b\\s*\\)?|\\b(?:unless|if !)\\s*${own}\\b|\\breturn\\s+\\(?(?:self\\.|this\\.|\\w+\\.)?${own}\\s*(?:&&|and\\b|\\?)`,
    );
    const used = added.find(line => line.number !== number && leaves.test(line.bare));
    return used
      ? [{ name, line: used.number, what: 'is off and nothing turns it on, so that the work behind it never runs' }]
      : [];
  });
}
