/** Checks of a project's own that found a fault and failed, and that only speak of it now. */
import { indentOf } from '../../util/text.ts';
import { isCode } from '../language.ts';
import type { Line, LookFile } from '../look.ts';
import { linesWith } from '../matches.ts';
import { isCi } from '../roles.ts';
import { type Found, quote } from './rule.ts';

const FAILS =
  /\bexit\s+["']?[1-9$]|\breturn\s+["']?[1-9$]|^\s*false\b|\bdie\b|(?:sys\.|os\.|process\.|Deno\.)_?[eE]xit\(\s*(?!0?\s*\))|\bexitCode\s*=\s*[1-9]|\bSystemExit\b|\bexit\(\s*[1-9]|\babort\b|\bthrow\s|\braise\s|\blog\.Fatal|\bpanic\(/;
const MAY_FAIL = /exit|Exit|return|false|die|abort|throw|raise|Fatal|panic/g;
/** Kept for later, when something else may fail by it. */
const KEEPS = /(?:^|[\s;{])\w+\s*\+?=\s*(?:1|true|True|\$\(\()|\+\+|\.(?:push|append|add)\(|<<|\+=/;
const HEAD = /\b(?:if|elif|elsif|else|unless|case|catch|except|rescue|for|while)\b|\|\||&&|\)\s*$/;

const FOLDER = /(^|\/)(?:scripts?|bin|ci|tools?|hack|\.ci|build|\.github)\//;
const CHECKS =
  /cov|check|lint|verif|valid|audit|guard|gate|budget|size|bench|licen[cs]e|smoke|ensure|enforce|test|ratchet/i;
const MEASURES = /coverage|\bcover\b|lint|threshold|budget|audit|\btests?\b/i;

const isCheck = ({ path, language, role, before }: LookFile): boolean => {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (role === 'test' || role === 'docs' || role === 'fixture') return false;
  if (language === 'shell' || isCi(path)) return CHECKS.test(name) || MEASURES.test(before.code);
  if (language === 'make') return true;
  return isCode(language) && FOLDER.test(path) && CHECKS.test(name);
};

export function lostExits(file: LookFile): readonly Found[] {
  if (file.change.kind !== 'modified' || file.removed.length === 0 || file.after.text === '' || !isCheck(file))
    return [];
  const gone = linesWith(file.removed, MAY_FAIL).filter(({ code }) => FAILS.test(code));
  if (gone.length === 0 || gone.length <= linesWith(file.added, MAY_FAIL).filter(({ code }) => FAILS.test(code)).length)
    return [];
  const line = gone.find(one => onlySaid(file, one));
  return line
    ? [
        {
          message: `${quote(line.text)} is gone, so this check passes although it found a fault`,
          path: file.path,
          line: line.number,
        },
      ]
    : [];
}

/** What it hung on is still asked, and nothing comes of it. */
function onlySaid(file: LookFile, { code, number }: Line): boolean {
  const asked = /^(.*?\S)\s*(?:&&|\|\||;\s*then)/.exec(code.trim())?.[1];
  if (asked !== undefined && asked.length > 8 && !FAILS.test(asked)) {
    const now = file.added.find(line => line.code.trim().startsWith(asked));
    return (
      now !== undefined && !passesOn(now.code) && !passesOn(blockAt(file.after.codeLines, now.number - 1).join('\n'))
    );
  }
  const lines = file.before.codeLines;
  const indent = indentOf(lines[number - 1] ?? '');
  for (let at = number - 2; at >= Math.max(0, number - 30); at--) {
    const head = lines[at] ?? '';
    if (head.trim() === '' || indentOf(head) >= indent) continue;
    if (!HEAD.test(head)) return false;
    const places = file.after.codeLines.flatMap((line, index) => (line.trim() === head.trim() ? [index] : []));
    const [place] = places;
    if (place === undefined || places.length > 1) return false;
    return !passesOn(blockAt(file.after.codeLines, place).join('\n'));
  }
  return false;
}

const passesOn = (code: string): boolean => code.split('\n').some(line => FAILS.test(line) || KEEPS.test(line));

/** Lines that stand deeper than this one. */
function blockAt(lines: readonly string[], at: number): readonly string[] {
  const indent = indentOf(lines[at] ?? '');
  const found: string[] = [];
  for (let index = at + 1; index < Math.min(lines.length, at + 40); index++) {
    const line = lines[index] ?? '';
    if (line.trim() !== '' && indentOf(line) <= indent) break;
    found.push(line);
  }
  return found;
}
