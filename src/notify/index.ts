/** Messages to people who do not watch. */
export { type Notifier, openNotifier } from './notifier.ts';
export { type Tried, tryTargets } from './try-targets.ts';
