/** Commands that end before an optimizing compiler could help them. */

/** Its threads compile what is over when they are done, and take the time for it from the command. */
export function withoutOptimizing(): void {
  process.getBuiltinModule('node:v8').setFlagsFromString('--no-opt');
}
