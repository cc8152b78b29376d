/**
 * Run by npm: `prepare` after an install in a clone, for a git dependency and before packing; `prepack` with --install.
 * Builds what is not built yet, if the tools for it are there.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** The last file that a complete build writes. */
const LAST = 'dist/index.d.ts';
const SOURCES = [
  'src',
  'scripts',
  'web',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'api-extractor.json',
];

if (!hasTools() && process.argv.includes('--install')) npm('ci', '--include=dev', '--ignore-scripts');
if (!hasTools()) {
  // Installed without development dependencies: nothing can be built, and that is not an error.
  console.error('ralph-runner is not built: run npm install --include=dev, then npm run build');
} else if (!isBuilt()) npm('run', '--silent', 'build');

function hasTools() {
  const { resolve } = createRequire(join(process.cwd(), 'package.json'));
  try {
    return ['rolldown', 'typescript/package.json', '@microsoft/api-extractor/package.json'].every(name =>
      resolve(name),
    );
  } catch {
    return false;
  }
}

/** Packing and git dependencies run this script twice. */
function isBuilt() {
  const last = statSync(LAST, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const times = SOURCES.filter(path => existsSync(path)).flatMap(path =>
    [path, ...inside(path)].map(each => statSync(each).mtimeMs),
  );
  return last > Math.max(...times);
}

function inside(path) {
  if (!statSync(path).isDirectory()) return [];
  return readdirSync(path, { recursive: true }).map(name => join(path, name));
}

function npm(...args) {
  // npm passes the path of its own program to scripts.
  const program = process.env.npm_execpath;
  const [file, first] = program?.endsWith('.js') ? [process.execPath, [program]] : ['npm', []];
  // Output of a script on stdout would corrupt the JSON of `npm pack --json`.
  execFileSync(file, [...first, ...args], { stdio: ['ignore', 2, 'inherit'] });
}
