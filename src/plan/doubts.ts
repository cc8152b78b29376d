/** Problems that are independent of the format, such as conflict markers. They are errors, so that no run starts on a guess. */
import type { Plan, PlanFiles, Problem } from '../protocol.ts';
import { placeAt } from '../util/text.ts';
import { findConflict } from './conflict.ts';
import { halfWritten } from './half-written.ts';
import { firstError, inOrder } from './lazy-plan.ts';
import { missingDocuments } from './missing-documents.ts';

/** Adds such problems to a plan; returns the plan itself if there are none. */
export function withDoubts(plan: Plan, { text, files }: { readonly text: string; readonly files: PlanFiles }): Plan {
  const isList = /\.(?:md|markdown)$/i.test(plan.path) && !plan.repeats;
  const found = [
    ...(plan.repeats ? [] : conflictBeside(plan)),
    ...(isList
      ? [
          ...halfWritten(text, { spaced: plan.format === 'checklist' }),
          ...missingDocuments(text, { path: plan.path, files }),
        ]
      : []),
  ];
  if (found.length === 0) return plan;
  const error = firstError([...(plan.error ? [plan.error] : []), ...found]);
  return Object.defineProperties({} as Plan, {
    ...Object.getOwnPropertyDescriptors(plan),
    error: { value: error, enumerable: true },
    problems: { get: () => inOrder([...plan.problems, ...found]), enumerable: true },
  });
}

/** Conflict markers in the instructions, which go into every brief. */
function conflictBeside({ instructions }: Plan): readonly Problem[] {
  const at = findConflict(instructions);
  if (at === undefined) return [];
  const { line } = placeAt(instructions, at);
  const message = `the instructions beside the plan have merge-conflict markers (their line ${line}); resolve the conflict first`;
  return [{ level: 'error', line: 1, column: 1, message }];
}
