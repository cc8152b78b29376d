/** Loads `isAlive` on first use. */
export const loadIsAlive = async (): Promise<typeof import('./identity.ts').isAlive> =>
  (await import('./identity.ts')).isAlive;
