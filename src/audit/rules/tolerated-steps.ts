/**
 * Steps and jobs of a pipeline that are allowed to fail.
 *
 *     + continue-on-error: true   on the step that runs the tests
 */
import type { LookFile } from '../look.ts';
import { isCi, isHook } from '../roles.ts';
import { isBesides } from './extra-steps.ts';
import { gateKinds, isProof } from './gate-commands.ts';
import { type Found, quote } from './rule.ts';

const TOLERATED =
  /^\s*(?:-\s+)?(?:continue-on-error|allow_failure|ignore_errors|ignore-failure|soft_fail|continue_on_failure|continueOnError|failIfNoTests|failFast|allowFailure|fail-on-error|fail_on_error|failOnError)\s*:\s*(?:['"]?(true|false|exit_codes|\$\{\{\s*true\s*\}\})?)/;

/** Settings of a step or job in a pipeline, judged together with what the step runs. */
export function steps(file: LookFile): readonly Found[] {
  if (!isCi(file.path) && !isHook(file.path)) return [];
  return file.added.flatMap((line): readonly Found[] => {
    const tolerated = TOLERATED.exec(line.code);
    const codes = /^\s*(?:exit_codes\s*:|-\s+exit_status\s*:|failure\s*:\s*ignore\b)/.test(line.code);
    if (!tolerated && !codes) return [];
    const strictKey = /fail[-_]?[oO]n[-_]?[eE]rror|failIfNoTests/.test(line.code);
    if (
      tolerated &&
      !codes &&
      (strictKey ? tolerated[1] !== 'false' : tolerated[1] === 'false' || tolerated[1] === undefined)
    )
      return [];
    const step = blockAround(file, line.number);
    const kinds = step.flatMap(code => gateKinds(code.replace(/^\s*(?:-\s+)?(?:run|name|script|id|entry)\s*:\s*/, '')));
    const where = { path: file.path, line: line.number };
    if (kinds.some(isProof) && !isBesides(file, step))
      return [{ message: `${quote(line.text)} lets a gate fail`, ...where }];
    return [{ message: `${quote(line.text)} lets a step fail`, ...where, level: 'warn' }];
  });
}

/** The lines of the list entry or job around a line of YAML. */
function blockAround(file: LookFile, number: number): readonly string[] {
  const lines = file.after.codeLines;
  const own = lines[number - 1] ?? '';
  const indent = own.length - own.trimStart().length;
  const starts = (line: string) => /^\s*-\s/.test(line);
  let from = number - 1;
  if (!starts(own)) {
    while (from > 0) {
      from -= 1;
      const line = lines[from] ?? '';
      if (line.trim() !== '' && line.length - line.trimStart().length < indent) break;
    }
  }
  const outer = (lines[from] ?? '').length - (lines[from] ?? '').trimStart().length;
  let to = number;
  while (to < lines.length) {
    const line = lines[to] ?? '';
    if (line.trim() !== '' && line.length - line.trimStart().length <= outer) break;
    to += 1;
  }
  return lines.slice(from, to);
}
