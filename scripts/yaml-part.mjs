/** What the program uses of the YAML package; the rest of it stays out of the bundle. `src/util/yaml-package.ts` has the same list. */
export { isMap, isScalar, isSeq, LineCounter, parse, parseDocument, stringify } from 'yaml';
