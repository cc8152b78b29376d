/** The YAML parser, loaded when it is first used: most commands meet no YAML, and it costs a third of node's start. */
export const yaml = (): typeof import('yaml') => require('yaml');
