/**
 * Loaded into the runner before it starts: writes its peak memory at exit. A script and not a module, because with a module
 * node takes half as long again to start, and that time would count as ours.
 */
const { readFileSync, writeFileSync } = require('node:fs');

/** The agent reads the CPU time of this process. */
process.env.BENCH_LOOP = String(process.pid);

process.on('exit', () => {
  if (process.env.BENCH_MEMORY) writeFileSync(process.env.BENCH_MEMORY, String(peakMegabytes()));
});

/** `getrusage` would include the parent's memory at the fork; only Linux reports the process's own peak. */
function peakMegabytes() {
  try {
    return Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1024;
  } catch {
    return process.resourceUsage().maxRSS / 1024;
  }
}
