/** ntfy, the service or one's own server: a push message on a phone. */
import type { MessageKind } from '../../protocol.ts';
import { fail, ok } from '../../util/result.ts';
import { bodyText } from '../message.ts';
import { post } from '../post.ts';
import { addressOf, type Target } from '../target.ts';

/** From 4 on the phone rings longer. */
const PRIORITIES: Readonly<Record<MessageKind, number>> = {
  done: 3,
  blocked: 3,
  'needs-person': 4,
  stuck: 4,
  wait: 2,
  cost: 3,
  stopped: 3,
  failed: 4,
};

export const ntfy: Target = ({ fields }) => {
  const url = addressOf(fields.ntfy);
  if (!url.ok) return url;
  const topic = decodeURIComponent(url.value.pathname.split('/').at(-1) ?? '');
  if (topic === '') return fail('its address names no topic: https://ntfy.sh/<topic>');
  // As JSON, which goes to the server itself: headers would not take every letter.
  const server = new URL('.', url.value);
  const headers = fields.token === undefined ? {} : { authorization: `Bearer ${fields.token}` };
  return ok((message, signal) => {
    const { kind, what } = message;
    const said = { topic, title: what, message: bodyText(message), priority: PRIORITIES[kind], tags: [kind] };
    return post({ url: server, body: JSON.stringify(said), headers, signal });
  });
};
