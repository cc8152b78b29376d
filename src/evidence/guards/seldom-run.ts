/** Conditions under which a gate runs seldom: on tags, on some branches, by the clock; not where changes are judged. */
import type { Line, LookFile } from '../look.ts';
import { linesWith } from '../matches.ts';
import { closing } from '../tests/brackets.ts';
import { gateKinds, isProof } from './gate-commands.ts';
import { type Found, quote } from './rule.ts';

/** Where changes come together, or are looked at before they do. */
const OFTEN =
  /\b(?:main|master|trunk|develop|default_?branch)\b|pull_?request|merge_?request|refs\/pull|\bpush\b|refs\/heads\/['"]|external_pull|\*\*|['"]\*['"]|CI_DEFAULT_BRANCH|\bchangeRequest\b/i;

const SELDOM: readonly RegExp[] = [
  /(?<!!\s*)\b(?:startsWith|contains|endsWith)\(\s*github\.(?:ref|ref_name|head_ref|base_ref)\s*,/,
  /\bgithub\.ref_type\s*==\s*['"]tag['"]/,
  /\bgithub\.(?:ref|ref_name|base_ref|head_ref)\s*==/,
  /(?<![!=]=?\s*)\$CI_COMMIT_TAG\b(?!\s*(?:==\s*null|!~))/,
  /\$CI_COMMIT_(?:BRANCH|REF_NAME)\s*(?:==|=~)/,
  /\$CI_PIPELINE_SOURCE\s*==\s*['"](?:schedule|web|api|trigger|pipeline)['"]/,
  /^tag\s+(?:IS\s+present|=~)|^branch\s*(?:=~?|IN)|^type\s*=\s*(?:cron|api)\b/i,
  /\bbuild\.(?:tag\s*(?:!=|=~)|branch\s*(?:==|=~))/,
  /\bpipeline\.git\.tag\b(?!\s*==\s*["']{2})|\bpipeline\.schedule\b/,
];

/** A condition written in the words of a pipeline. */
export const isSeldom = (value: string): boolean =>
  !OFTEN.test(value) && SELDOM.some(pattern => pattern.test(value)) && !/\|\|.*(?:==|!=)\s*['"]?push/.test(value);

const REF_LIST =
  /^\[?\s*(?:['"]?(?:tags?|schedules?|release[\w/*.-]*|triggers|web|api|cron|promote|\/\^?(?:release|v|hotfix)[^\s,]*|(?:release|hotfix|stable|nightly|v\d)[\w/*.-]*)['"]?\s*(?:,\s*|$|\]))+$/i;

/** The keys whose value names the branches, tags or events that a job is for. */
const REFS = /^\s*(?:-\s+)?(only|event|branch|branches|refs|ref)\s*:\s*(.*)$/;

/** `only: [tags]`, or the same as a list below the key. */
export function onlyRefs(file: LookFile, { code, number }: Line): boolean {
  const [, key, value = ''] = REFS.exec(code) ?? [];
  if (key === undefined) return false;
  const said = value.trim() === '' ? listBelow(file.after.codeLines, number).join(', ') : value.trim();
  return said !== '' && REF_LIST.test(said) && !OFTEN.test(said);
}

function listBelow(lines: readonly string[], number: number): readonly string[] {
  const found: string[] = [];
  for (let at = number; at < Math.min(lines.length, number + 20); at++) {
    const entry = /^\s*-\s+(\S+)\s*$/.exec(lines[at] ?? '')?.[1];
    if (entry === undefined) break;
    found.push(entry);
  }
  return found;
}

/** Another entry of the same list of rules lets it run. */
export function hasOtherRule(file: LookFile, number: number): boolean {
  const lines = file.after.codeLines;
  const own = lines[number - 1] ?? '';
  if (!/^\s*-\s/.test(own)) return false;
  const indent = own.search(/\S/);
  const entries = (step: 1 | -1): readonly string[] => {
    const found: string[] = [];
    for (let at = number - 1 + step; at >= 0 && at < lines.length && Math.abs(at - number) < 30; at += step) {
      const line = lines[at] ?? '';
      const depth = line.search(/\S/);
      if (depth >= 0 && (depth < indent || (depth === indent && !/^\s*-\s/.test(line)))) break;
      if (depth === indent) found.push(line);
    }
    return found;
  };
  return [...entries(-1), ...entries(1)].some(
    line =>
      OFTEN.test(line) || /^\s*-\s+(?:when\s*:\s*(?:always|on_success)|if\s*:\s*\$CI_COMMIT_BRANCH['"]?$)/.test(line),
  );
}

/** The gate stood here before: a new job that only tags need takes nothing away. */
export function ranBefore(file: LookFile, step: readonly string[]): boolean {
  const gates = step.filter(line => gateKinds(line).some(isProof)).map(plain);
  if (gates.length === 0) return false;
  const old = new Set(file.before.codeLines.map(plain));
  return gates.some(gate => old.has(gate));
}

const plain = (line: string): string => line.trim().replace(/^-\s+/, '');

const WHEN = /\bwhen\s*\{|^\s*(?:branch|tag|buildingTag|triggeredBy)\b/g;
const IN_STAGE =
  /\b(?:branch\s*\(?\s*(?:pattern\s*:\s*)?['"]|tag\s*\(?\s*['"]|buildingTag\s*\(|triggeredBy\s*\(?\s*['"]|environment\s+name\s*:|expression\s*\{\s*(?:return\s+)?(?:params|env)\.\w+)/;

/** Jenkins: a stage of gates behind `when { branch … }`. */
export function seldomStages(file: LookFile): readonly Found[] {
  if (!/(^|\/)jenkinsfile/i.test(file.path) || file.before.text === '') return [];
  const { bare, codeLines } = file.after;
  return linesWith(file.added, WHEN).flatMap((line): readonly Found[] => {
    const near = codeLines.slice(line.number - 1, line.number + 3).join('\n');
    const condition = IN_STAGE.exec(near.slice(0, near.search(/\bsteps\b|$/)))?.[0];
    if (condition === undefined || /\bchangeRequest\b|\banyOf\b|\bnot\b/.test(near)) return [];
    const above = codeLines.slice(0, line.number).findLastIndex(code => /\bstage\s*\(/.test(code));
    if (above < 0) return [];
    const start = codeLines.slice(0, above).join('\n').length;
    const open = bare.indexOf('{', start);
    const stage = bare.slice(0, closing(bare, open)).split('\n').length;
    const step = codeLines.slice(above, stage);
    const kinds = step.flatMap(gateKinds).filter(isProof);
    const rest = [...codeLines.slice(0, above), ...codeLines.slice(stage)];
    if (kinds.every(kind => rest.some(code => gateKinds(code).includes(kind))) || !ranBefore(file, step)) return [];
    return [{ message: `${quote(line.text)} keeps a gate from running`, path: file.path, line: line.number }];
  });
}
