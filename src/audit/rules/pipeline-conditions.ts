/** Conditions on steps and jobs, what waits for them, and jobs that nothing runs. */
import { isNoLoss, isOfTests } from '../harmless-exclusions.ts';
import type { Line } from '../line.ts';
import type { LookFile } from '../look.ts';
import { isCi, isHook } from '../roles.ts';
import { type GateKind, gateKinds, isProof } from './gate-commands.ts';
import { type Found, quote } from './rule.ts';

const CONDITION =
  /^\s*(?:-\s+)?(?:if|when|condition|only|except|skip|trigger|event|branches|stages|enabled|ignore)\s*:\s*(.*)$/;
const NEVER: readonly RegExp[] = [
  /^["']?(?:\$\{\{\s*)?(?:false|never|0|always\(\)\s*&&\s*false|manual|on_fail(?:ure)?|failure\(\)|cancelled\(\))\s*(?:\}\})?["']?\s*$/,
  /&&\s*false\b|^false\s*&&/,
  /^\$\{\{\s*false/,
];
/** Runs only when a person, a label, a message or a variable asks for it. */
const ON_REQUEST: readonly RegExp[] = [
  /(?<!!)\bgithub\.(?:actor|triggering_actor)\s*==/,
  /(?<!!)contains\(\s*github\.event\.(?:head_commit\.message|pull_request\.(?:labels|title|body))/,
  /\b(?:inputs|vars|env|variables)\.\w*|\$(?:RUN|ENABLE|WITH|SKIP|FORCE)_\w+/,
  /\bgithub\.event_name\s*==\s*["'](?:workflow_dispatch|schedule|repository_dispatch|release)["']/,
  /\$CI_PIPELINE_SOURCE\s*==\s*["'](?:schedule|web|api|trigger)["']/,
  /\bbuild\.source\s*==\s*["'](?:schedule|ui|api)/,
  /\bbranch\s*=\s*(?:never|none|nothing)/,
  /^\[?\s*(?:cron|promote|rollback|custom|manual|schedules?|triggers|web|api)\s*(?:,\s*(?:cron|promote|rollback|custom|manual|schedules?|triggers|web|api)\s*)*\]?\s*$/,
  /(?<!!)\bgithub\.(?:ref|ref_name|head_ref)\s*==/,
  /Build\.Reason['"]?\]?,\s*'(?:Manual|Schedule)'/,
  /Build\.SourceBranch/,
];
const FINE =
  /\|\|.*(?:push|pull_request|merge_request)|pull_request\.draft|dependabot|renovate|\bmatrix\.|runner\.os|needs\.|steps\.|hashFiles|github\.repository\b|github\.event_name\s*!=|succeeded\(\)|skip[ -]?ci|tags?\b/i;

/** What a condition does to the gate it stands at, or nothing. */
export function keepsFromRunning(file: LookFile, line: Line): 'never' | 'on request' | undefined {
  const match = CONDITION.exec(line.code);
  if (!match) return undefined;
  const [key, value] = [line.code.trim().replace(/^-\s+/, '').split(':')[0] ?? '', (match[1] ?? '').trim()];
  if (value === '') return undefined;
  if (key === 'skip')
    return /^(?:true|["'](?!false)\w+.*|always)/.test(value) && !/merge|rebase/.test(value) ? 'never' : undefined;
  if (key === 'except') return /\b(?:main|master|merge_requests|branches)\b/.test(value) ? 'never' : undefined;
  if (key === 'enabled') return /^(?:false|no|off)$/.test(value) ? 'never' : undefined;
  if (key === 'ignore') return /\/\.\*\/|^["']?\*+["']?$/.test(value) && isCi(file.path) ? 'never' : undefined;
  if (key === 'stages') return /\bmanual\b/.test(value) && !/commit|push/.test(value) ? 'never' : undefined;
  if (NEVER.some(pattern => pattern.test(value))) return 'never';
  if (FINE.test(value)) return undefined;
  if (key === 'branches' && !/buildkite/.test(file.path)) return undefined;
  return ON_REQUEST.some(pattern => pattern.test(value)) ? 'on request' : undefined;
}

/** A gate of that kind that runs whatever happens, elsewhere in the same file. */
export function runsAnyway(file: LookFile, kinds: readonly GateKind[], own: readonly string[]): boolean {
  const mine = new Set(own);
  // What ends with a colon is the name of something.
  const others = file.after.codeLines.filter(line => !mine.has(line) && !/:\s*$/.test(line));
  return kinds.every(kind => others.some(line => gateKinds(line).includes(kind)));
}

export const pipelineJobs = (file: LookFile): readonly Found[] => {
  if (file.before.text === '' || file.after.text === '') return [];
  if (isHook(file.path)) return excludedByHooks(file);
  return isCi(file.path) ? [...nobodyWaits(file), ...hiddenJobs(file)] : [];
};

interface Job {
  readonly name: string;
  readonly line: number;
  readonly lines: readonly string[];
}

/** Blocks at the depth where jobs stand. */
function jobsOf(lines: readonly string[]): ReadonlyMap<string, Job> {
  const at = lines.findIndex(line => /^jobs\s*:\s*$/.test(line));
  const depth =
    at < 0
      ? 0
      : (lines
          .slice(at + 1)
          .find(line => line.trim() !== '')
          ?.search(/\S/) ?? 2);
  const found = new Map<string, Job>();
  let start = -1;
  const flush = (end: number) => {
    const name = start < 0 ? undefined : /^\s*["']?([\w.:-]+)["']?\s*:/.exec(lines[start] ?? '')?.[1];
    if (name !== undefined) found.set(name, { name, line: start + 1, lines: lines.slice(start, end) });
  };
  for (let index = at + 1; index < lines.length; index++) {
    const indent = (lines[index] ?? '').search(/\S/);
    if (indent < 0 || indent > depth) continue;
    flush(index);
    start = indent === depth ? index : -1;
    if (indent < depth) break;
  }
  flush(lines.length);
  return found;
}

const SHIPS =
  /\b(?:publish|deploy|release|npm publish|twine|docker push|kubectl|helm|terraform|goreleaser|gh-pages|upload-artifact|promote)\b/i;
const NEEDS = /^\s*(?:needs|requires|dependsOn|depends_on)\s*:/;
const provesSomething = (job: Job | undefined): boolean =>
  job?.lines.some(line => gateKinds(line).some(isProof)) ?? false;

/** What ships no longer waits for the tests, or ships whatever they say. */
function nobodyWaits(file: LookFile): readonly Found[] {
  const isAbout = (line: Line) =>
    NEEDS.test(line.code) || /\balways\(\)|when:\s*always|cancelled\(\)|failure\(\)/.test(line.code);
  if (!file.removed.some(isAbout) && !file.added.some(isAbout)) return [];
  const [before, after] = [jobsOf(file.before.codeLines), jobsOf(file.after.codeLines)];
  return [...before.values()].flatMap((old): readonly Found[] => {
    const now = after.get(old.name);
    if (!now || !SHIPS.test(now.lines.join('\n'))) return [];
    const needed = (job: Job) => {
      const from = job.lines.findIndex(line => NEEDS.test(line));
      if (from < 0) return [];
      const indent = (job.lines[from] ?? '').search(/\S/);
      const rest = job.lines.slice(from + 1);
      const end = rest.findIndex(line => line.trim() !== '' && line.search(/\S/) <= indent && !/^\s*-\s/.test(line));
      return `${job.lines[from]} ${rest.slice(0, end < 0 ? undefined : end).join(' ')}`.match(/[\w.:-]{2,}/g) ?? [];
    };
    const waits = new Set(needed(now));
    // Through another job counts as well.
    for (const name of [...waits])
      for (const further of after.has(name) ? needed(after.get(name) as Job) : []) waits.add(further);
    const lost = needed(old).find(name => !waits.has(name) && provesSomething(after.get(name)));
    const where = { path: file.path, line: now.line };
    if (lost !== undefined && !provesSomething(now))
      return [{ message: `${quote(old.name)} no longer waits for ${quote(lost)}`, ...where }];
    const none = (job: Job) => job.lines.some(line => /^\s*needs\s*:\s*\[\s*\]/.test(line));
    if (none(now) && !none(old)) return [{ message: `${quote(old.name)} waits for nothing any more`, ...where }];
    const anyway = (job: Job) =>
      job.lines.some(
        line =>
          /^\s*if\s*:.*(?:always\(\)|!\s*cancelled\(\)|failure\(\))/.test(line) &&
          !/needs\.|success/.test(line) &&
          isOfJob(job, line),
      );
    if (anyway(now) && !anyway(old) && needed(now).some(name => provesSomething(after.get(name))))
      return [{ message: `${quote(old.name)} runs whatever the jobs before it say`, ...where }];
    return [];
  });
}

const isOfJob = ({ lines }: Job, line: string): boolean => {
  const first = lines.slice(1).find(other => other.trim() !== '') ?? '';
  return line.search(/\S/) === first.search(/\S/);
};

/** A leading dot hides a job of GitLab; only what extends it runs it. */
function hiddenJobs(file: LookFile): readonly Found[] {
  if (!/gitlab/.test(file.path)) return [];
  const after = jobsOf(file.after.codeLines);
  return [...jobsOf(file.before.codeLines).values()].flatMap((old): readonly Found[] => {
    const hidden = after.get(`.${old.name}`);
    if (old.name.startsWith('.') || !hidden || after.has(old.name) || !provesSomething(hidden)) return [];
    const isUsed = file.after.codeLines.some(
      line => /extends|reference|\*/.test(line) && line.includes(`.${old.name}`),
    );
    return isUsed
      ? []
      : [{ message: `the job ${quote(old.name)} is hidden and no longer run`, path: file.path, line: hidden.line }];
  });
}

/** Code of the project that hooks no longer look at. */
const excludedByHooks = (file: LookFile): readonly Found[] =>
  file.added.flatMap((line): readonly Found[] => {
    const entry = /^\s*(?:-\s+)?exclude(?:_types|_tags)?\s*:\s*(.+)$/.exec(line.code)?.[1]?.replace(/["'\\]/g, '');
    if (
      entry === undefined ||
      entry.trim() === '|' ||
      isNoLoss(entry) ||
      isOfTests(entry) ||
      file.before.code.includes(entry)
    )
      return [];
    if (!/\/|\.\*|\^/.test(entry)) return [];
    return [
      {
        message: `${quote(line.text)} keeps hooks from looking at code of the project`,
        path: file.path,
        line: line.number,
      },
    ];
  });
