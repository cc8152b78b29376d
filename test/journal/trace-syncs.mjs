/**
 * Loaded before the program (`node --import`): notes in the file that `RALPH_TEST_TRACE` names, in order, each record of the
 * journal, each time the journal reaches the disk, with how many records were in it when that was begun, and each act that
 * others can see: a file renamed, a program started.
 */
import childProcess from 'node:child_process';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const { appendFileSync, openSync, writeSync, fdatasync, fdatasyncSync, fsyncSync, renameSync } = fs;
const { spawn } = childProcess;
const note = line => appendFileSync(process.env.RALPH_TEST_TRACE, `${line}\n`);
const journals = new Set();
let records = 0;
const SLOW_MS = 300;

fs.openSync = (path, ...rest) => {
  const fd = openSync(path, ...rest);
  if (String(path).endsWith('journal.jsonl')) journals.add(fd);
  else journals.delete(fd);
  return fd;
};
fs.writeSync = (fd, bytes, ...rest) => {
  if (journals.has(fd)) {
    records += 1;
    note(`record ${JSON.parse(String(bytes)).type}`);
  }
  return writeSync(fd, bytes, ...rest);
};
for (const [name, real] of Object.entries({ fdatasyncSync, fsyncSync })) {
  fs[name] = fd => {
    real(fd);
    if (journals.has(fd)) note(`synced ${records}`);
  };
}
fs.fdatasync = (fd, done) => {
  const begun = records;
  // A slow disk: whoever does not wait for it is seen to be ahead of it.
  const slow = () =>
    fdatasync(fd, error => {
      if (journals.has(fd)) note(`synced ${begun}`);
      done(error);
    });
  setTimeout(slow, SLOW_MS);
};
fs.renameSync = (from, to) => {
  note(`rename ${to}`);
  return renameSync(from, to);
};
childProcess.spawn = (program, ...rest) => {
  note(`start ${program}`);
  return spawn(program, ...rest);
};

syncBuiltinESMExports();
