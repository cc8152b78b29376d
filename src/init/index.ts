/** A repository made ready: what is found in it, and its first config and plan. */
export { addGates } from './add-gates.ts';
export { askFor, FORMATS, type Guess, guessed } from './choices.ts';
export { type Choices, type SetUp, setUp } from './set-up.ts';
export { type Survey, survey } from './survey.ts';
export type { Written } from './write-new.ts';
