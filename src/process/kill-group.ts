/** KILL to a whole group, by the process that leads it. */
export function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // Gone meanwhile.
  }
}
