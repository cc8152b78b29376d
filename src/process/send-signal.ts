/** Sends a signal to a process, or to a group if the pid is negative. Not an error if it is gone or belongs to another user. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // Whether it is gone shows the next look at the process table.
  }
}

/** Ends a process group at once, given the pid of its leader. */
export function killGroup(pid: number | undefined): void {
  if (pid !== undefined) sendSignal(-pid, 'SIGKILL');
}
