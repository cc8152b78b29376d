/**
 * Loaded before the program (`node --import`): a part of the machine fails at the n-th use, and stays that way or not.
 * `RALPH_TEST_FAIL` is `disk <n>` (from the n-th write on the disk is full), `once <n>` (only that write fails) or `git <n>`
 * (the n-th git is killed). Where it has come to that, there is the file that `RALPH_TEST_FAILED` names.
 */
import childProcess from 'node:child_process';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const [what, at] = (process.env.RALPH_TEST_FAIL ?? '').split(' ');
let seen = 0;
const { writeFileSync } = fs;

/** Counts; says whether this one fails. */
function fails() {
  seen += 1;
  if (seen === Number(at)) writeFileSync(process.env.RALPH_TEST_FAILED, '');
  return what === 'disk' ? seen >= Number(at) : seen === Number(at);
}

function noSpace(syscall, path) {
  const error = new Error(`ENOSPC: no space left on device, ${syscall}${typeof path === 'string' ? ` '${path}'` : ''}`);
  return Object.assign(error, { code: 'ENOSPC', errno: -28, syscall });
}

const own = path => typeof path === 'number' || String(path).includes('.ralph') || !String(path).startsWith('/proc');

if (what === 'disk' || what === 'once') {
  const { writeSync, appendFileSync, copyFileSync, mkdirSync } = fs;
  fs.writeSync = (fd, bytes, ...rest) => {
    if (!fails()) return writeSync(fd, bytes, ...rest);
    // A full disk takes what still fits.
    const from = rest[0] ?? 0;
    if (typeof bytes !== 'string') writeSync(fd, bytes, from, (bytes.length - from) >> 1);
    throw noSpace('write');
  };
  for (const [name, real] of Object.entries({ writeFileSync, appendFileSync, copyFileSync, mkdirSync })) {
    fs[name] = (...args) => {
      if (own(args[0]) && fails()) throw noSpace(name.replace('Sync', ''), args[name === 'copyFileSync' ? 1 : 0]);
      return real(...args);
    };
  }
  const { copyFile } = fs;
  fs.copyFile = (from, to, mode, done) =>
    fails() ? process.nextTick(done, noSpace('copyfile', to)) : copyFile(from, to, mode, done);
  for (const name of ['writeFile', 'copyFile']) {
    const real = fs.promises[name];
    fs.promises[name] = async (...args) => {
      if (fails()) throw noSpace(name, args[name === 'copyFile' ? 1 : 0]);
      return await real(...args);
    };
  }
}

const WRITES = /^(?:add|write-tree|commit-tree|update-ref|read-tree|update-index|checkout|symbolic-ref|worktree)$/;
const { spawn } = childProcess;
childProcess.spawn = (program, args, options) => {
  const instead = script => spawn('/bin/sh', ['-c', script], options);
  // Without the shell that stays: its calls of git are not to be seen from here.
  if (program === '/bin/sh' && args[0] === '-s') return spawn('/there/is/no/shell', args, options);
  if (program !== 'git') return spawn(program, args, options);
  if (what === 'git' && fails()) return instead('kill -9 $$');
  if (what === 'disk' && args.some(arg => WRITES.test(arg)) && fails()) {
    return instead('echo "fatal: unable to write new file: No space left on device" >&2; exit 128');
  }
  return spawn(program, args, options);
};

syncBuiltinESMExports();
