/** Who holds a lock, by code that is loaded only where there is a lock: `ralph status` mostly finds none. */
export const loadLockOwner = async (): Promise<typeof import('./lock.ts').lockOwner> =>
  (await import('./lock.ts')).lockOwner;
