/**
 * Imports that are loaded when they are first used: parts of node, because `node:crypto` or `node:fs/promises` for a function that
 * may not be called at all takes as long as fifty kilobytes of code; and chunks of our own that are called late, which hold what
 * most calls of a command never come to.
 */

/** Loaded by node itself before a program, or so small that it makes no difference. */
const AT_ONCE = new Set(['node:fs', 'node:path', 'node:os', 'node:util', 'node:url', 'node:process', 'node:events']);
const IMPORT =
  /^(?:let|const) ((?:node|require)_\w+(?:\$\d+)?) = require\("((?:node:|\.\/(?:cli\/)?late-)[^"]+)"\);$/gm;

/** Before names are made short: each of these is still unique in its chunk. */
export const lateImports = {
  name: 'late-imports',
  renderChunk(code) {
    // One that is assigned to is a default export, which is taken out of it at once.
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
