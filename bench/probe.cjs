/**
 * Loaded into the runner before it starts: writes the most memory it ever held when it leaves. A script and no module: node takes
 * half as long again to start with a module, and that time would be called ours.
 */
const { readFileSync, writeFileSync } = require('node:fs');

/** The agent reads what CPU this process took so far. */
process.env.BENCH_LOOP = String(process.pid);

process.on('exit', () => {
  if (process.env.BENCH_MEMORY) writeFileSync(process.env.BENCH_MEMORY, String(peakMegabytes()));
});

/** `getrusage` would count what the parent held at the fork; only Linux tells the process's own peak. */
function peakMegabytes() {
  try {
    return Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1024;
  } catch {
    return process.resourceUsage().maxRSS / 1024;
  }
}
