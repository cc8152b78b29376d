/** The memory of the repository in which a command was called. */
import type { Memory } from '../memory/index.ts';
import { memoryOf, openProject, type Project } from '../start/index.ts';
import { describeFailure, ok, type Result } from '../util/result.ts';
import { plain } from '../util/show.ts';

export interface MemoryHere {
  readonly project: Project;
  readonly memory: Memory;
}

/** Opens the memory; prints to stderr what could not be read and was left out. */
export async function memoryHere(): Promise<Result<MemoryHere>> {
  const project = await openProject({ cwd: process.cwd(), env: process.env });
  if (!project.ok) return { ok: false, error: project.error.failure };
  const memory = memoryOf(project.value);
  for (const problem of memory.problems) process.stderr.write(`ralph: ${plain(describeFailure(problem))}\n`);
  return ok({ project: project.value, memory });
}
