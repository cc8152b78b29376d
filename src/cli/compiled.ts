/** For commands that are over in a moment: code that was compiled when the program was built. */
import type { Script } from 'node:vm';

/**
 * How such a command is run. Code is compiled a second time, for speed, only after it has run through this many bytes:
 * that is done on other threads, and in half a second of work it takes more of them than it gives back. Patterns are
 * compiled once, not first for an interpreter and at their second use again. Garbage is looked for seldom and by this
 * thread alone: all of it is gone in a moment.
 */
const FLAGS = [
  '--interrupt-budget=1000000',
  '--no-regexp-tier-up',
  '--semi-space-growth-factor=8',
  '--no-incremental-marking',
  '--no-parallel-scavenge',
];

/** The program is CommonJS once it is built. */
declare const require: NodeJS.Require;
/** Of V8, whose compiled code and whose settings these are: another one knows neither, and complains of the settings. */
declare const __BUILT_WITH__: string;

/**
 * What is loaded from here on is taken as it was compiled. Node compiles modules of its own again, which are compiled for
 * other settings: those that are needed are loaded first.
 */
export function runCompiled(own: readonly string[] = []): void {
  if (process.versions.v8 !== __BUILT_WITH__) return;
  for (const name of ['node:vm', 'node:v8', ...own]) process.getBuiltinModule(name);
  // Asked for, it is loaded.
  void process.getBuiltinModule('node:util').parseArgs;
  setFlags();
  // Not imported: the program's entry is loaded by every command, and most need none of this.
  const { readFileSync } = process.getBuiltinModule('node:fs');
  const path = process.getBuiltinModule('node:path');
  const loaders = require.extensions;
  loaders['.cjs'] = (module, file) => {
    let compiled: Buffer;
    try {
      compiled = readFileSync(compiledName(file));
    } catch {
      loaders['.js'](module, file);
      return;
    }
    const run = scriptOf(readFileSync(file, 'latin1'), { file, compiled }).runInThisContext();
    run.call(module.exports, module.exports, module.require.bind(module), module, file, path.dirname(file));
  };
}

/** Compiles these files whole, now; done where the program is built. */
export function compileAhead(files: readonly string[]): void {
  const { readFileSync, writeFileSync } = process.getBuiltinModule('node:fs');
  setFlags();
  const { setFlagsFromString } = process.getBuiltinModule('node:v8');
  // Every function, not only those that run at once. What is compiled is only taken where the flags are the same.
  setFlagsFromString('--no-lazy');
  const scripts = files.map(file => ({ file, script: scriptOf(readFileSync(file, 'latin1'), { file }) }));
  setFlagsFromString('--lazy');
  for (const { file, script } of scripts) writeFileSync(compiledName(file), script.createCachedData());
}

const compiledName = (file: string): string => `${file}.code`;

function setFlags(): void {
  const { setFlagsFromString } = process.getBuiltinModule('node:v8');
  for (const flag of FLAGS) setFlagsFromString(flag);
}

/** The function that node makes of a file. The build writes plain letters only, so that it may be read as such. */
function scriptOf(source: string, { file, compiled }: { readonly file: string; readonly compiled?: Buffer }): Script {
  const { Script } = process.getBuiltinModule('node:vm');
  const whole = `(function (exports, require, module, __filename, __dirname) { ${source}\n});`;
  return new Script(whole, { filename: file, ...(compiled && { cachedData: compiled }) });
}
