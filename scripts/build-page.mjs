/** Bundles web/ into dist/page/: one script, one style sheet, one document, compressed as they are sent. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';

const FOLDER = 'dist/page';

/** Builds the page; returns its modules, for the licences. */
export async function buildPage() {
  const bundle = await rolldown({
    input: 'web/main.tsx',
    platform: 'browser',
    logLevel: 'warn',
    tsconfig: 'web/tsconfig.json',
    transform: { target: 'chrome123' },
  });
  const { output } = await bundle.generate({ format: 'iife', minify: true, comments: false });
  await bundle.close();
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  const [{ code, moduleIds }] = output;
  const styles = ['node_modules/uplot/dist/uPlot.min.css', 'web/css/page.css', 'web/css/more.css'];
  write('page.js', code);
  write('page.css', styles.map(file => small(readFileSync(file, 'utf8'))).join('\n'));
  for (const name of ['index.html', 'icon.svg']) write(name, readFileSync(`web/${name}`, 'utf8'));
  return moduleIds;
}

function write(name, text) {
  // The same sources give the same bytes on every machine.
  writeFileSync(`${FOLDER}/${name}.gz`, gzipSync(text, { level: 9 }));
}

/** Removes comments and white space at the ends of lines; compression does the rest. */
function small(css) {
  return css
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .split('\n')
    .map(line => line.trim())
    .filter(Boolean)
    .join('\n');
}
