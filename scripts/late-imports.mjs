/**
 * Makes imports lazy: node's own modules, because `node:crypto` or `node:fs/promises` takes as long to load as fifty
 * kilobytes of code, even if it is never used; and our own late chunks, which contain what most calls of a command never
 * reach.
 */

/** Loaded by node itself before any program, or so small that it makes no difference. */
const AT_ONCE = new Set(['node:fs', 'node:path', 'node:os', 'node:util', 'node:url', 'node:process', 'node:events']);
const IMPORT =
  /^(?:let|const) ((?:node|require)_\w+(?:\$\d+)?) = require\("((?:node:|\.\/(?:cli\/)?late-)[^"]+)"\);$/gm;

/** Runs before names are minified, when each of them is still unique in its chunk. */
export const lateImports = {
  name: 'late-imports',
  renderChunk(code) {
    // A name that is assigned again is a default export, which is unwrapped at once.
    const late = [...code.matchAll(IMPORT)].filter(
      ([, name, id]) => !AT_ONCE.has(id) && !code.includes(`\n${name} = `),
    );
    return late.reduce((text, [line, name, id]) => {
      const [before, after] = text.split(line);
      const use = new RegExp(`\\b${name.replace('$', String.raw`\$`)}\\b(?!\\$)`, 'g');
      return `${before}let ${name}$made; const ${name} = () => ${name}$made ??= require("${id}");${after.replace(use, `(${name}())`)}`;
    }, code);
  },
};
