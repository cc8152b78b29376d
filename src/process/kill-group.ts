/** Sends KILL to a process group, given the pid of its leader. */
export function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // The group is gone.
  }
}
