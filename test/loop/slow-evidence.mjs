/** Loaded before the program (`node --import`): a busy disk, on which the evidence of an iteration arrives late. */
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { setTimeout as wait } from 'node:timers/promises';

/** Far longer than everything between the evidence and the review; the program that waits for the file waits for this. */
const LATE_MS = 3000;

const { writeFile } = promises;
promises.writeFile = async (path, ...rest) => {
  if (String(path).endsWith('evidence.json')) await wait(LATE_MS);
  return await writeFile(path, ...rest);
};

syncBuiltinESMExports();
