/**
 * Gate commands that can no longer fail.
 *
 *     - run: npm test
 *     + run: npm test || true
 */
import { oncePer } from '../../util/once.ts';
import type { Line } from '../line.ts';
import type { LookFile } from '../look.ts';
import { isCi, isGateFile, isHook } from '../roles.ts';
import { isBesides, sectionAround } from './extra-steps.ts';
import { gateKinds, isNothing, isProof, ONLY_TALKS, SOFT_FLAGS } from './gate-commands.ts';
import { keepsStatus, lastList, swallowedCommands, withoutFailing } from './hidden-failure.ts';
import { namesPaths, narrowed } from './narrowed-command.ts';
import { isOfExtraScript, isOfNewScript } from './new-scripts.ts';
import { type Found, quote, type Rule } from './rule.ts';
import { scriptsOf } from './scripts.ts';
import { steps } from './tolerated-steps.ts';
import { isMoreTolerant } from './weaker-settings.ts';

export const gateSoftened: Rule = {
  id: 'gate-softened',
  level: 'block',
  about: 'A check command can no longer fail, or covers less.',
  check: ({ files }) =>
    files.flatMap((file): readonly Found[] => {
      if (
        !isGateFile(file.path) &&
        file.language !== 'shell' &&
        !/(^|\/)(?:pytest\.ini|setup\.cfg|Dockerfile)/.test(file.path)
      )
        return [];
      if (file.role === 'docs' || file.role === 'fixture' || file.change.kind === 'deleted') return [];
      return [
        ...file.added.flatMap(line => softLine(files, file, line)),
        ...steps(file),
        ...scripts(file),
        ...lostErrexit(file),
      ];
    }),
};

function softLine(files: readonly LookFile[], file: LookFile, line: Line): readonly Found[] {
  const code = line.code.trimEnd();
  if (code.trim() === '') return [];
  const found = (what: string): readonly Found[] => [
    { message: `${quote(line.text)} ${what}`, path: file.path, line: line.number },
  ];
  // Only the part whose failure is hidden counts: a command before `;`, or outside the brackets, fails on its own.
  if (
    swallowedCommands(code).some(part => gateKinds(part).some(isProof)) &&
    !wasSo(file, 'swallowed', old => swallowedCommands(old).some(part => gateKinds(part).length > 0)) &&
    !isOfExtraScript(files, file, line.number)
  )
    return found('hides that it failed').map(one =>
      isCi(file.path) && isBesides(file, [code]) ? { ...one, level: 'warn' } : one,
    );
  if (/\|\s*tee\b/.test(code) && /package\.json$|akefile$/.test(file.path) && !/pipefail/.test(file.after.text)) {
    const piped = lastList(code.replace(/\|\s*tee\b.*$/, ''));
    if (gateKinds(piped).some(isProof) && !wasSo(file, 'piped', old => /\|\s*tee\b/.test(old)))
      return found('hides that it failed');
  }
  if (
    /^\s*(?:@?-|-@)(?=[a-z$])/.test(code) &&
    file.language === 'make' &&
    gateKinds(code).some(isProof) &&
    !isOfExtraScript(files, file, line.number)
  )
    return found('ignores that it failed');
  if (
    /(^|\/)tox\.ini$/.test(file.path) &&
    (/^\s*(?:commands\s*=\s*)?-\s*\w/.test(code)
      ? gateKinds(code).some(isProof)
      : /^\s*ignore_(?:outcome|errors)\s*=\s*true/i.test(code)) &&
    !isBesides(file, sectionAround(file, line.number))
  )
    return found('ignores that it failed');
  if (isShell(file) && /\btrap\s+["'][^"']*\b(?:exit 0|true)\b/.test(code) && isGateScript(file))
    return found('ends the script as if all were well');
  if (/^\s*(?:\.IGNORE\s*:|MAKEFLAGS\s*\+?=.*(?:-i\b|--ignore-errors))/.test(code))
    return found('ignores every failure');
  if (
    /^\s*(?:-\s+)?(?:run:\s*)?set \+e\b|^\s*set \+o (?:errexit|pipefail)/.test(code) &&
    !keepsStatus(file, line.number) &&
    isGateScript(file)
  )
    return found('lets the script go on after a failure');
  if (isShell(file) && ENDS_UNLESS_ASKED.test(code) && cutsShort(file, line.number))
    return found('ends the script unless somebody asks for more');
  if (isShell(file) && /^exit 0\s*$/.test(code) && cutsShort(file, line.number))
    return found('ends the script as if all were well');
  const less = narrowedLine(file, line);
  if (less !== undefined) return found(`looks at less: ${less}`);
  const tolerated = SEVERITY.exec(code)?.[1];
  if (
    tolerated !== undefined &&
    wasSo(file, `tolerates ${tolerated}`, old => isMoreTolerant(tolerated, SEVERITY.exec(old)?.[1]))
  )
    return found('lets more pass');
  for (const { pattern, what } of SOFT_FLAGS) {
    if (!softened(code, pattern) || wasSo(file, pattern.source, old => pattern.test(old))) continue;
    if (what === ONLY_TALKS && !weakens(file, code)) continue;
    if (isOfNewScript(files, file, line.number)) return [];
    const isAddopts = /addopts|^\s+-/.test(code) && /pytest|setup\.cfg|tox|pyproject/.test(file.path);
    const hook = /--no-verify/.test(code) && /\bgit\s+(?:commit|push)\b/.test(code);
    const skipsMaven = /skips the tests/.test(what);
    if (
      gateKinds(code).some(isProof) ||
      isAddopts ||
      hook ||
      /RakeTask/.test(code) ||
      (skipsMaven && /\b(?:mvnw?|gradlew?)\b/.test(code))
    ) {
      // A separate job may package without tests; removing them from an existing line is not harmless.
      if (skipsMaven && (!weakens(file, code) || testsAsOften(file, pattern)))
        return [{ message: `${quote(line.text)} ${what}`, path: file.path, line: line.number, level: 'warn' }];
      return found(what);
    }
  }
  return [];
}

const SEVERITY = /--(?:audit-level|severity-threshold|fail-on|failure-threshold|min-severity|fail-level)[= ](\w+)/;

/** Whether the flag belongs to the proving command, not to a command beside it. */
function softened(code: string, pattern: RegExp): boolean {
  if (!pattern.test(code)) return false;
  const parts = code.split('&&');
  return parts.length === 1 || parts.some(part => pattern.test(part) && gateKinds(part).some(isProof));
}

const former = new WeakMap<LookFile, Map<string, boolean>>();

/** Whether a removed line already passed this test; cached by name, because every added line asks the same. */
function wasSo(file: LookFile, name: string, test: (code: string) => boolean): boolean {
  const answers = former.get(file) ?? new Map<string, boolean>();
  former.set(file, answers);
  const known = answers.get(name) ?? file.removed.some(line => test(line.code));
  answers.set(name, known);
  return known;
}

const isShell = (file: LookFile): boolean => file.language === 'shell' || isHook(file.path);

const isGateScript = (file: LookFile): boolean =>
  isCi(file.path) ||
  isHook(file.path) ||
  gateKinds(file.after.code).some(isProof) ||
  file.after.codeLines.some(code => gateKinds(code).some(isProof));

/** An unconditional exit with commands after it, or after a gate whose failure would have ended the script. */
function cutsShort(file: LookFile, number: number): boolean {
  const lines = file.after.codeLines;
  const rest = lines.slice(number).filter(line => line.trim() !== '');
  if (rest.some(line => gateKinds(line).length > 0)) return true;
  if (isHook(file.path) && rest.length > 0) return true;
  const before = lines.slice(0, number - 1).filter(line => line.trim() !== '');
  return (
    gateKinds(before.at(-1) ?? '').some(isProof) &&
    !before.some(line => /\bset -\w*e/.test(line)) &&
    !wasSo(file, 'ends', old => /^exit 0/.test(old))
  );
}

const ENDS_UNLESS_ASKED =
  /\[\s*(?:-n\s+["']?\$[^\]]*|["']?\$[^\]]*==?\s*["']?(?:1|true|yes)["']?\s*)\]+\s*\|\|\s*exit 0|\[\s*-z\s+["']?\$[^\]]*\]+\s*&&\s*exit 0|\[\s*["']?\$[^\]]*!=[^\]]*\]+\s*&&\s*exit 0|\[\s*["']?\$[^\]]*==?[^\]]*\]+\s*\|\|\s*exit 0/;
const ERREXIT = /^[^\S\n]*(?:set -\w*e\w*\b|set -o errexit|#!.*\bsh -\w*e)/m;

/** A gate script that stopped at the first failure and now continues. */
function lostErrexit(file: LookFile): readonly Found[] {
  if (!isShell(file) || !ERREXIT.test(file.before.text) || ERREXIT.test(file.after.text) || file.after.text === '')
    return [];
  if (!isGateScript(file)) return [];
  const line = file.added[0]?.number ?? 1;
  return [{ message: 'the script no longer ends when a command fails', path: file.path, line }];
}

const bareCommand = (code: string): string =>
  code
    .replace(/^\s*(?:-\s+)?(?:(?:run|script|command)\s*:\s*)?/, '')
    .replace(/^(?:(?:uv|poetry|pipenv|hatch|pdm) run(?: --\S+)*|bundle exec|npx|pnpm exec)\s+/, '')
    .trim();

/** The proving commands, by the tool they begin with. */
const gatesIn = oncePer((lines: readonly Line[]): ReadonlyMap<string, readonly string[]> => {
  const found = new Map<string, string[]>();
  for (const { code } of lines) {
    if (!gateKinds(code).some(isProof)) continue;
    const command = bareCommand(code);
    const [tool = ''] = command.split(' ', 1);
    found.set(tool, [...(found.get(tool) ?? []), command].slice(0, 2));
  }
  return found;
});

/** Compares the only added command of a tool with the only removed one. */
function narrowedLine(file: LookFile, line: Line): string | undefined {
  if (!isShell(file) && !isCi(file.path)) return undefined;
  const now = bareCommand(line.code);
  const tool = /^[\w./-]+/.exec(now)?.[0];
  if (tool === undefined || !gateKinds(now).some(isProof)) return undefined;
  const gone = gatesIn(file.removed).get(tool) ?? [];
  const [was] = gone;
  if (was === undefined || gone.length > 1 || (gatesIn(file.added).get(tool) ?? []).length > 1) return undefined;
  const rest = now.startsWith(`${was} `) ? now.slice(was.length).trim() : '';
  if (/^[\w./*-]*\/[\w./*-]*$/.test(rest) && !rest.startsWith('-') && !namesPaths(was))
    return `it looks at ${rest} only`;
  const less = narrowed(was, now);
  // A bare word need not be a path here.
  return less !== undefined && /^it looks at [^./*]+ only$/.test(less) ? undefined : less;
}

/** Whether the same command existed without the flag. */
const weakens = (file: LookFile, code: string): boolean =>
  file.removed.some(
    line =>
      gateKinds(line.code).some(kind => gateKinds(code).includes(kind)) || /\b(?:mvnw?|gradlew?)\b/.test(line.code),
  );

const RUNS_TESTS = /\b(?:mvnw?|gradlew?)\b.*\s(?:test|verify|install|package|deploy|check|build)\b/;

/** As many lines as before run the tests: a line that only compiled may package without them. */
function testsAsOften(file: LookFile, skips: RegExp): boolean {
  const count = (lines: readonly string[]) => lines.filter(code => RUNS_TESTS.test(code) && !skips.test(code)).length;
  const now = count(file.after.codeLines);
  return now > 0 && now >= count(file.before.codeLines);
}

/** Separators after which the previous command's failure has no effect. */
const APART = /;|(?<![&>|])&(?![&>\d])/;

/** Compares scripts of package.json and targets of a Makefile before and after the change. */
function scripts(file: LookFile): readonly Found[] {
  const before = scriptsOf(file, 'before');
  return [...scriptsOf(file, 'after')].flatMap(([name, now]): readonly Found[] => {
    const was = before.get(name);
    if (was === undefined || was.command === now.command) return [];
    const where = { path: file.path, line: now.line };
    const proves =
      gateKinds(was.command).some(isProof) || /^(?:test|lint|typecheck|type-check|check|verify|ci)\b/.test(name);
    if (!proves) return [];
    if (isNothing(now.command) && !isNothing(was.command))
      return [{ message: `the script ${quote(name)} does nothing any more: ${quote(now.command)}`, ...where }];
    const rest = now.command.startsWith(`${was.command} `) ? now.command.slice(was.command.length).trim() : '';
    if (
      rest !== '' &&
      /^[\w./*-]+(?:\s+[\w./*-]+)*$/.test(rest) &&
      !rest.startsWith('-') &&
      !namesPaths(was.command) &&
      /[./*]|test|src/.test(rest)
    ) {
      return [{ message: `the script ${quote(name)} looks at ${quote(rest)} only`, ...where }];
    }
    const less = narrowed(was.command, now.command);
    if (less !== undefined) return [{ message: `the script ${quote(name)} looks at less: ${less}`, ...where }];
    const command = withoutFailing(now.command);
    const alone = command.split(APART).slice(0, -1);
    if (
      !APART.test(was.command) &&
      !was.command.includes('\n') &&
      !/\bset -\w*e/.test(now.command) &&
      alone.some(part => gateKinds(part).some(isProof))
    )
      return [{ message: `the script ${quote(name)} continues after a failure`, ...where }];
    const either = command.split('||').filter(part => gateKinds(part).some(isProof));
    if (either.length > 1 && !was.command.includes('||') && new Set(either.map(part => part.trim())).size > 1)
      return [{ message: `the script ${quote(name)} passes as soon as one of its parts does`, ...where }];
    if (/--check\b/.test(was.command) && !/--check\b/.test(now.command) && /--write\b|--fix\b/.test(now.command)) {
      return [{ message: `the script ${quote(name)} repairs instead of checking`, ...where }];
    }
    return [];
  });
}
