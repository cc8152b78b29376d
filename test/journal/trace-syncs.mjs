/**
 * Loaded before the program (`node --import`): notes in the file that `RALPH_TEST_TRACE` names, in order, each record of the
 * journal, each time the journal reaches the disk, and each act that others can see: a file renamed, a program started.
 */
import childProcess from 'node:child_process';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const { appendFileSync, openSync, writeSync, fdatasyncSync, fsyncSync, renameSync } = fs;
const { spawn } = childProcess;
const note = line => appendFileSync(process.env.RALPH_TEST_TRACE, `${line}\n`);
const journals = new Set();

fs.openSync = (path, ...rest) => {
  const fd = openSync(path, ...rest);
  if (String(path).endsWith('journal.jsonl')) journals.add(fd);
  else journals.delete(fd);
  return fd;
};
fs.writeSync = (fd, bytes, ...rest) => {
  if (journals.has(fd)) note(`record ${JSON.parse(String(bytes)).type}`);
  return writeSync(fd, bytes, ...rest);
};
for (const [name, real] of Object.entries({ fdatasyncSync, fsyncSync })) {
  fs[name] = fd => {
    real(fd);
    if (journals.has(fd)) note('synced');
  };
}
fs.renameSync = (from, to) => {
  note('rename');
  return renameSync(from, to);
};
childProcess.spawn = (program, ...rest) => {
  note(`start ${program}`);
  return spawn(program, ...rest);
};

syncBuiltinESMExports();
