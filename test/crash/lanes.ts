/** Trials side by side. */
const LANES = 2;

/**
 * Repeats `trial` in two lanes until it says false in each, or fails in one. All lanes have ended when this does: one that
 * goes on would work in repositories that are being removed.
 */
export async function inLanes(trial: () => Promise<boolean>): Promise<void> {
  let failed = false;
  const lane = async () => {
    try {
      while (!failed && (await trial()));
    } catch (error) {
      failed = true;
      throw error;
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: LANES }, lane));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}
