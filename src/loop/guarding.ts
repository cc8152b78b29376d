/** All that looks into a change. It is large, so it is loaded while the first agent works and not before it starts. */
export { checkGuards, redact } from '../audit/index.ts';
export { seeChange } from '../checks/index.ts';
export { putBackGround } from './put-back-ground.ts';
