/** The demo's repository and its words. */
export { commented } from './commentary.ts';
export { demoEnvironment, demoFolder, makeRepository } from './repository.ts';
export { farewell, greeting } from './words.ts';
