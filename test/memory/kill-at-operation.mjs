/** Loaded before the program: ends it with SIGKILL before its n-th file operation that could leave a trace, `KILL_AT`. */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

let left = Number(process.env.KILL_AT);
for (const name of ['mkdirSync', 'openSync', 'writeSync', 'fsyncSync', 'closeSync', 'renameSync']) {
  const real = fs[name];
  fs[name] = (...args) => {
    left -= 1;
    if (left === 0) {
      // Half a write is what a crash leaves of a large one.
      if (name === 'writeSync') real(args[0], args[1].subarray(0, args[1].length / 2));
      process.kill(process.pid, 'SIGKILL');
    }
    return real(...args);
  };
}
syncBuiltinESMExports();
