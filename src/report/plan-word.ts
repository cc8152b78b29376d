/** The plan of a run as a person names it in a command. */
import { dirname, relative, resolve } from 'node:path';
import type { RunState } from '../state.ts';
import { shellWord } from './style.ts';

export interface Standing {
  /** Where the command is typed. */
  readonly cwd: string;
  /** Of the repository: a run keeps the path of its plan as seen from there. */
  readonly root: string;
}

/** Words may be longer than anybody pastes: a run of those goes by its id, as it does where a path would be read as a flag. */
export function planName({ run, plan, promptText }: RunState, { cwd, root }: Standing): string {
  if (promptText !== undefined) return run;
  const path = resolve(root, plan.path);
  // The state of a sprint is written beside it; the folder is the plan.
  const file = plan.format === 'sprint' ? dirname(path) : path;
  const shown = relative(cwd, file) || file;
  return shown.startsWith('-') ? run : shown;
}

/** The same, as it is pasted into a shell. */
export const planWord = (state: RunState, standing: Standing): string => shellWord(planName(state, standing));
