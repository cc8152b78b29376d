/** The part of the YAML package that the program uses; the rest stays out of the bundle. Same list as `src/util/yaml-package.ts`. */
export { isMap, isScalar, isSeq, LineCounter, parse, parseDocument, stringify } from 'yaml';
