/** The modules for sending traces. A file of its own, because an `import()` of a door loads its whole room. */
export { redact } from '../audit/index.ts';
export { collectorAt, openSender } from '../traces/index.ts';
