/** Loaded into the program: writes which of its files were loaded when its agent is started, and when it leaves. */
const { appendFileSync } = require('node:fs');
const { basename } = require('node:path');
const { ChildProcess } = require('node:child_process');

const log = when => {
  const files = Object.keys(require.cache).map(file => basename(file).replace(/-[\w-]{8}\.cjs$/, ''));
  if (process.env.LOADED_FILES) appendFileSync(process.env.LOADED_FILES, `${JSON.stringify({ when, files })}\n`);
};
const { spawn } = ChildProcess.prototype;
ChildProcess.prototype.spawn = function (options) {
  if (options.args.some(word => word.includes('script-agent'))) log('agent');
  return spawn.call(this, options);
};
process.on('exit', () => log('exit'));
