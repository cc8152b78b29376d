/** What traces are made with. Through this file and not through the doors: an `import()` of a door loads all of its room. */
export { redact } from '../audit/index.ts';
export { collectorAt, openSender } from '../traces/index.ts';
