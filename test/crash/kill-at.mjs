/**
 * Loaded before the program (`node --import`): ends it with SIGKILL at the n-th journal record, renamed file (plan, index,
 * branch, object, lock) or git call.
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
const { openSync, writeSync, renameSync } = fs;
const { spawn } = childProcess;

if (what === 'journal') {
  fs.openSync = (path, ...rest) => {
    const fd = openSync(path, ...rest);
    if (String(path).endsWith('journal.jsonl')) journals.add(fd);
    else journals.delete(fd);
    return fd;
  };
  fs.writeSync = (fd, bytes, ...rest) => {
    const write = () => writeSync(fd, bytes, ...rest);
    return journals.has(fd) ? point(write, () => writeSync(fd, bytes.subarray(0, bytes.length / 2))) : write();
  };
}

if (what === 'rename') {
  fs.renameSync = (from, to) => point(() => renameSync(from, to));
}

if (what === 'git') {
  childProcess.spawn = (program, args, options) => {
    // Without the shell that stays: its calls of git are not to be seen from here.
    if (program === '/bin/sh' && args[0] === '-s') return spawn('/there/is/no/shell', args, options);
    if (program !== 'git') return spawn(program, args, options);
    seen += 1;
    if (seen === Number(at) && when === 'before') die();
    const child = spawn(program, args, options);
    if (seen !== Number(at)) return child;
    // A git that outlives its runner, as it does when only the runner is killed; or one that has just ended.
    if (when === 'during') setTimeout(die, Math.random() * 4);
    else child.prependListener('close', die);
    return child;
  };
}

syncBuiltinESMExports();
