/**
 * Tests that write the golden file right before they compare with it.
 *
 *     + writeFileSync(golden, got); expect(got).toBe(readFileSync(golden, 'utf8'));
 */
import { escaped } from '../../util/text.ts';
import { functionAround, functionsIn } from '../functions.ts';
import type { Line } from '../line.ts';
import type { LookFile } from '../look.ts';
import { linesWith } from '../matches.ts';
import { closing, partsOf } from '../tests/brackets.ts';
import { endOf } from '../tests/test-case.ts';
import { type Found, quote } from './rule.ts';

const WRITES =
  /\b(?:writeFile(?:Sync)?|WriteFile|outputFile(?:Sync)?|writeJson(?:Sync)?|writeString|WriteAll(?:Text|Lines|Bytes)|file_put_contents|(?:File|IO)\.(?:bin)?write|fs::write|Files\.write|File\.write!?)\s*\(|\.(?:write_text|write_bytes|writeText|writeBytes|write_string)\(|\bopen\([^()\n]*,\s*["'][wax]b?\+?["']/g;
const READS =
  /\b(?:readFile(?:Sync)?|ReadFile|readJson(?:Sync)?|readString|ReadAll(?:Text|Lines|Bytes)|file_get_contents|(?:File|IO)\.(?:bin)?read!?|read_to_string|fs::read|Files\.(?:read\w*|lines)|include_str!|\w*Equals\w*File\w*|assertFileEquals)\s*\(|\.(?:read_text|read_bytes|readText|readBytes)\(|\bopen\(/;
/** Writing is fine if the user asked for it. */
const ASKED =
  /update|bless|regen|record|overwrite|accept|env\b|environ|getenv|getBoolean|var_os|flag|exist|not_?found|\bStat\(/i;
const TEMPORARY = /te?mp|scratch|sandbox|mkdtemp|\bout(?:put)?(?:Dir|Path|_dir|_path)?\b/i;
const RECORDED = /golden|snapshot|expected|approved|testdata|fixtures?|baseline|reference/i;

export function ownGoldens(file: LookFile): readonly Found[] {
  if (file.role !== 'test' && file.role !== 'test-support') return [];
  const came = linesWith(file.added, WRITES);
  return came.flatMap((line): readonly Found[] => {
    const own = writtenThenRead(file, line);
    if (own === undefined || wasSo(file, own)) return [];
    const message = `${quote(line.text)} makes the file that the test compares with, so it can never fail`;
    return [{ message, path: file.path, line: line.number }];
  });
}

interface Unit {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

/** The test or function around a line. */
function unitAround(file: LookFile, side: 'before' | 'after', number: number): Unit | undefined {
  const test = file[side].tests.find(one => one.bodyLine <= number && number < endOf(one));
  if (test) return { name: test.name, from: test.bodyLine, to: endOf(test) };
  const own = functionAround(functionsIn(file[side], file.language), number);
  return own && { name: own.name, from: own.line, to: own.end };
}

/** The unit in which a file is written unconditionally and then read. */
function writtenThenRead(file: LookFile, { number, code }: Line): Unit | undefined {
  const target = targetOf(code);
  const lines = file.after.codeLines;
  const unit = target === undefined ? undefined : unitAround(file, 'after', number);
  if (!unit || target === undefined || isAskedFor(lines, number, code)) return undefined;
  const defined = lines.find(line =>
    new RegExp(`(?<![\\w.])${escaped(target)}(?:\\s*:\\s*\\w+)?\\s*:?=[^=]`).test(line),
  );
  if (TEMPORARY.test(`${target} ${defined ?? ''}`)) return undefined;
  const isRead = lines.slice(number, unit.to).some(line => READS.test(line) && line.includes(target));
  if (!isRead) return undefined;
  const isOld = unitsOf(file).some(name => name === unit.name);
  return isOld || RECORDED.test(`${target} ${defined ?? ''}`) ? unit : undefined;
}

const unitsOf = (file: LookFile): readonly string[] => [
  ...file.before.tests.map(({ name }) => name),
  ...functionsIn(file.before, file.language).map(({ name }) => name),
];

/** Whether it already wrote there unconditionally before the change. */
const wasSo = (file: LookFile, { name }: Unit): boolean =>
  file.before.codeLines.some((code, at) => {
    WRITES.lastIndex = 0;
    return (
      WRITES.test(code) &&
      !isAskedFor(file.before.codeLines, at + 1, code) &&
      unitAround(file, 'before', at + 1)?.name === name
    );
  });

/** The written path; undefined if only fixed text is written, because that is a set-up. */
function targetOf(code: string): string | undefined {
  WRITES.lastIndex = 0;
  const match = WRITES.exec(code);
  if (!match) return undefined;
  const receiver = match[0].startsWith('.') ? /([\w.$@]+)$/.exec(code.slice(0, match.index))?.[1] : undefined;
  const open = code.indexOf('(', match.index);
  const parts = partsOf(code, open, closing(code, open)).map(([from, to]) => code.slice(from, to).trim());
  const content = parts[receiver === undefined ? 1 : 0] ?? '';
  if (/^(?:b?["'`][^"'`]*["'`]|\[\]byte\((?:"[^"]*"|`[^`]*`)\))$/.test(content) && !match[0].startsWith('open'))
    return undefined;
  return receiver ?? parts[0];
}

/** Whether a condition on the same line, or around it, guards the write. */
function isAskedFor(lines: readonly string[], number: number, code: string): boolean {
  if (
    /\b(?:if|unless)\b|&&|\?/.test(code) &&
    ASKED.test(code.replace(/\([^()]*\)/g, '()').replace(/["'][^"']*["']/g, '') + envOf(code))
  )
    return true;
  let indent = code.search(/\S/);
  for (let at = number - 2; at >= Math.max(0, number - 30); at--) {
    const line = lines[at] ?? '';
    const depth = line.search(/\S/);
    if (depth < 0 || depth >= indent) continue;
    indent = depth;
    if (/\b(?:if|unless|else|when|match)\b/.test(line) && ASKED.test(line)) return true;
    if (/\b(?:function|def|func|fn|fun|it|test)\b/.test(line)) return false;
  }
  return false;
}

const envOf = (code: string): string => /process\.env|ENV\[|getenv|environ|\*\w+/.exec(code)?.[0] ?? '';
