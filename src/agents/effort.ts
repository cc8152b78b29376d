/** One effort scale for all agents, so that switching agents needs no new vocabulary. */

const SCALE = ['off', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'];

/** The agent's own word for `wanted`: the nearest that it has. A word outside the scale is the agent's own already. */
export function effortWord(wanted: string | undefined, known: readonly string[]): string | undefined {
  if (wanted === undefined || wanted === '') return undefined;
  const at = SCALE.indexOf(wanted);
  if (at < 0 || known.includes(wanted)) return wanted;
  const near = known
    .filter(word => SCALE.includes(word))
    .toSorted((a, b) => Math.abs(SCALE.indexOf(a) - at) - Math.abs(SCALE.indexOf(b) - at));
  return near[0];
}
