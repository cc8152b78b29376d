/** The part of the YAML package that is in the bundle: keep in sync with `scripts/yaml-part.mjs`. */
type Part = 'isMap' | 'isScalar' | 'isSeq' | 'LineCounter' | 'parseDocument' | 'stringify';

/** The YAML parser, loaded on first use: most commands read no YAML, and it costs a third of node's start-up time. */
export const yaml = (): Pick<typeof import('yaml'), Part> => require('yaml');
