/** What is in the bundle of the YAML package: `scripts/yaml-part.mjs` has the same list. */
type Part = 'isMap' | 'isScalar' | 'isSeq' | 'LineCounter' | 'parseDocument' | 'stringify';

/** The YAML parser, loaded when it is first used: most commands meet no YAML, and it costs a third of node's start. */
export const yaml = (): Pick<typeof import('yaml'), Part> => require('yaml');
