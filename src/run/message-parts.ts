/** The part of `notify` that sends messages. A file of its own, because an `import()` of a door loads its whole room. */
export { openNotifier } from '../notify/index.ts';
