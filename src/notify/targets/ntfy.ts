/** ntfy, the public service or the user's own server: a push message on a phone. */
import { fail, ok } from '../../util/result.ts';
import { bodyText, PRIORITIES } from '../message.ts';
import { post } from '../post.ts';
import { addressOf, type Target } from '../target.ts';

export const ntfy: Target = ({ fields }) => {
  const url = addressOf(fields.ntfy);
  if (!url.ok) return url;
  const topic = decodeURIComponent(url.value.pathname.split('/').at(-1) ?? '');
  if (topic === '') return fail('its address names no topic: https://ntfy.sh/<topic>');
  // Sent as JSON to the server's root, because headers cannot contain every character.
  const server = new URL('.', url.value);
  const headers = fields.token === undefined ? {} : { authorization: `Bearer ${fields.token}` };
  return ok((message, signal) => {
    const { kind, what } = message;
    const said = { topic, title: what, message: bodyText(message), priority: PRIORITIES[kind], tags: [kind] };
    return post({ url: server, body: JSON.stringify(said), headers, signal });
  });
};
