/** Whether a process lives, by code that is loaded only where that is asked. */
export const loadIsAlive = async (): Promise<typeof import('./identity.ts').isAlive> =>
  (await import('./identity.ts')).isAlive;
