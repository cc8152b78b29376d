/**
 * What is to be undone at the end of a test file. Quick tests share processes, in which a helper is loaded once for many files: a hook
 * of its own would run for the first of them alone.
 */
type Task = () => void | Promise<void>;

const tasks: Task[] = [];

export const atEndOfFile = (task: Task): void => {
  tasks.push(task);
};

/** Called by the set-up that every file has. */
export async function endFile(): Promise<void> {
  for (const task of tasks.splice(0).toReversed()) await task();
}
