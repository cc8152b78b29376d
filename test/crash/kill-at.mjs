/**
 * Loaded before the program (`node --import`): ends it with SIGKILL at the n-th journal record, plan write or git call.
 * `RALPH_TEST_KILL` is `<what> <when> <n>`, for example `journal after 7`.
 */
import childProcess from 'node:child_process';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const [what, when, at] = (process.env.RALPH_TEST_KILL ?? '').split(' ');
let seen = 0;

const die = () => process.kill(process.pid, 'SIGKILL');

/** Runs `act`, unless this is the moment: then before it, halfway through it (`half`), or right after it. */
function point(act, half = act) {
  seen += 1;
  if (seen !== Number(at)) return act();
  if (when === 'before') die();
  if (when === 'during') half();
  else act();
  return die();
}

const journals = new Set();
const { openSync, writeSync, fdatasyncSync, renameSync } = fs;
const { spawn, spawnSync } = childProcess;

if (what === 'journal') {
  let written;
  fs.openSync = (path, ...rest) => {
    const fd = openSync(path, ...rest);
    if (String(path).endsWith('journal.jsonl')) journals.add(fd);
    else journals.delete(fd);
    return fd;
  };
  fs.writeSync = (fd, bytes, ...rest) => {
    if (!journals.has(fd) || when === 'after') return writeSync(fd, bytes, ...rest);
    written = () => writeSync(fd, bytes, ...rest);
    return point(written, () => writeSync(fd, bytes.subarray(0, bytes.length / 2)));
  };
  fs.fdatasyncSync = fd => (journals.has(fd) && when === 'after' ? point(() => fdatasyncSync(fd)) : fdatasyncSync(fd));
}

if (what === 'plan') {
  fs.renameSync = (from, to) => (String(to).endsWith('prd.json') ? point(() => renameSync(from, to)) : renameSync(from, to));
}

if (what === 'git') {
  childProcess.spawnSync = (program, args, options) => {
    if (program !== 'git') return spawnSync(program, args, options);
    // A git that outlives its runner, as it does when only the runner is killed.
    const orphan = () => {
      const child = spawn(program, args, { ...options, stdio: ['pipe', 'ignore', 'ignore'] });
      child.stdin.end(options.input ?? '');
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Math.random() * 4);
    };
    return point(() => spawnSync(program, args, options), orphan);
  };
}

syncBuiltinESMExports();
