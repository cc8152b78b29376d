/** What an agent is told: slots, their budgets, templates, and the text of others made harmless. */
export { buildBrief } from './build.ts';
export { explainBrief } from './explain.ts';
export { briefFigures } from './figures.ts';
export { passagesNaming } from './passages.ts';
export { command, criterion, opening } from './pieces.ts';
export { compile, render } from './render.ts';
export { buildReviewBrief } from './review.ts';
export { type Brief, type BriefDocument, type BriefInput, DEFAULT_BUDGET, type Templates } from './slots.ts';
export { loadTemplates } from './templates.ts';
export { tokensOf } from './tokens.ts';
export { bullet, code, paragraphs, untrusted, untrustedLine } from './untrusted-text.ts';
