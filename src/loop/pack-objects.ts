/** Packs git's many small object files; if packing fails, they stay as they are. */
import type { Session } from './session.ts';

/** At the end of a run, and between two agents of a long run, when no other code runs. */
export async function packObjects(session: Session, when: 'at-end' | 'between'): Promise<void> {
  const { vault } = session.options;
  const tell = () => session.notice('info', 'packing the objects of the repository');
  const packed = when === 'at-end' ? await vault.pack(tell) : await vault.packBetween(tell);
  if (!packed.ok) session.notice('warn', `the objects of the repository could not be packed: ${packed.error.message}`);
}
