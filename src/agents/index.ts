/** The agents there are, what their processes get, and what they say. */
export { accountOf } from './account.ts';
export { asksPerson, questionIn, toolQuestion } from './asks.ts';
export { PROMISE, readClaim } from './claims.ts';
export { lastMessageIn } from './claude-transcript.ts';
export { agentEnvironment, findOnPath } from './environment.ts';
export { agentNamed, agentNames, allAgents } from './known.ts';
export { readLessons } from './lessons.ts';
export { proseOf } from './markdown.ts';
export { leastUsage } from './minimum-usage.ts';
export { costOf, PRICES_OF, priceOf } from './prices.ts';
export { readReview, type SaidReview } from './reviews.ts';
