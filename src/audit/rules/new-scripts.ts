/** Scripts and targets that a change adds: until something calls them, they weaken nothing. */
import type { LookFile } from '../look.ts';
import { isGateFile } from '../roles.ts';
import { type Script, scriptsOf } from './scripts.ts';

/** Scripts that tools and people run by default. */
const EXPECTED =
  /^(?:pre|post)?(?:all|default|test|tests|lint|check|types?|typecheck|type-check|verify|validate|ci|build|prepare|publish(?:Only)?)$|^hook /;

interface NewScript {
  readonly name: string;
  readonly head: number;
  readonly scripts: ReadonlyMap<string, Script>;
}

function newScriptAt(file: LookFile, number: number): NewScript | undefined {
  if (file.before.text === '') return undefined;
  const scripts = scriptsOf(file, 'after');
  let [name, head] = ['', 0];
  for (const [one, { line }] of scripts) if (line <= number && line >= head) [name, head] = [one, line];
  return name === '' || scriptsOf(file, 'before').has(name) ? undefined : { name, head, scripts };
}

/** Whether a line belongs to a new script that is not run by default: it may fail, because nothing relies on it. */
export const isOfExtraScript = (files: readonly LookFile[], file: LookFile, number: number): boolean =>
  !EXPECTED.test(newScriptAt(file, number)?.name ?? 'test') && isOfNewScript(files, file, number);

/** Whether a line belongs to a new script that nothing calls. */
export function isOfNewScript(files: readonly LookFile[], file: LookFile, number: number): boolean {
  const script = newScriptAt(file, number);
  if (!script) return false;
  const { name, head, scripts } = script;
  const own = String.raw`(?<![\w:-])${name.replace(/[^\w-]/g, '.')}(?![\w:-])`;
  // Targets are called by `make` and as prerequisites; in a list of names or in a flag they are only mentioned.
  if (file.language === 'make') {
    const made = new RegExp(String.raw`(?:\bmake|\$[({]MAKE[)}]|\bjust)\b[^\n;&|]*${own}`);
    const isCalled = [...scripts].some(([other, { command }]) => !other.startsWith('.') && made.test(command));
    return !isCalled && !elsewhere(files, file, made);
  }
  const called = new RegExp(own);
  const isCalled = file.added.some(line => line.number !== head && called.test(line.code));
  return (
    !isCalled && !elsewhere(files, file, new RegExp(String.raw`\b(?:run|npm|pnpm|yarn|bun|task)\b[^\n;&|]*${own}`))
  );
}

/** Whether a pipeline, a hook or a script in the same change calls it. */
const elsewhere = (files: readonly LookFile[], file: LookFile, called: RegExp): boolean =>
  files.some(other => other !== file && isGateFile(other.path) && other.added.some(({ code }) => called.test(code)));
