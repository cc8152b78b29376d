/** Messages to people who are not watching. */
export { type Notifier, openNotifier } from './notifier.ts';
export { type Tried, tryTargets } from './try-targets.ts';
