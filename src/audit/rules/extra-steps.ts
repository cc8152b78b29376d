/** New steps and jobs beside the gates of a pipeline: they may fail, as long as every former gate is still there. */
import { oncePer } from '../../util/once.ts';
import type { LookFile } from '../look.ts';
import { gateKinds, isProof } from './gate-commands.ts';

/** Counts the proving commands of a file; cached, because every step of the file asks. */
const gatesOf = oncePer((lines: readonly string[]): ReadonlyMap<string, number> => {
  const found = new Map<string, number>();
  for (const line of lines) {
    if (!gateKinds(line).some(isProof)) continue;
    const command = line.trim().replace(/^(?:-\s+)?(?:(?:run|script|command|commands)\s*[:=]\s*)?/, '');
    found.set(command, (found.get(command) ?? 0) + 1);
  }
  return found;
});

/** Whether everything that proved something before is still there outside this block of the pipeline. */
export function isBesides(file: LookFile, block: readonly string[]): boolean {
  const before = gatesOf(file.before.codeLines);
  if (before.size === 0) return false;
  const [after, own] = [gatesOf(file.after.codeLines), gatesOf(block)];
  return [...before].every(([command, count]) => (after.get(command) ?? 0) - (own.get(command) ?? 0) >= count);
}

/** The lines of the section of an ini file around a line. */
export function sectionAround(file: LookFile, number: number): readonly string[] {
  const lines = file.after.codeLines;
  const isHead = (line: string) => /^\[/.test(line);
  const from = lines.slice(0, number).findLastIndex(isHead);
  const to = lines.slice(number).findIndex(isHead);
  return lines.slice(Math.max(0, from), to < 0 ? undefined : number + to);
}
