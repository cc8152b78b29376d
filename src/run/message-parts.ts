/** What messages are sent with: the part of the room that is loaded with it. */
export { openNotifier } from '../notify/index.ts';
