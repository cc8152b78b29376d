/** Any address that accepts JSON, signed as in Standard Webhooks, for which there are libraries in every language. */
import { createHmac } from 'node:crypto';
import { fail, ok } from '../../util/result.ts';
import type { Message } from '../message.ts';
import { post } from '../post.ts';
import { addressOf, type Target } from '../target.ts';

export const webhook: Target = ({ fields }) => {
  const url = addressOf(fields.webhook);
  if (!url.ok) return url;
  const { secret } = fields;
  const key = secret === undefined ? undefined : keyOf(secret);
  if (key?.length === 0) return fail('its secret holds nothing');
  return ok((message, signal) => {
    const body = bodyOf(message);
    // The time of the try, not of the event, because receivers refuse old timestamps.
    const timestamp = String(Math.floor(Date.now() / 1000));
    const named = { 'webhook-id': message.id, 'webhook-timestamp': timestamp };
    const signed = key ? { 'webhook-signature': signature(key, `${message.id}.${timestamp}.${body}`) } : {};
    return post({ url: url.value, body, headers: { ...named, ...signed }, signal });
  });
};

const keyOf = (secret: string): Buffer =>
  secret.startsWith('whsec_') ? Buffer.from(secret.slice('whsec_'.length), 'base64') : Buffer.from(secret);

const signature = (key: Buffer, text: string): string =>
  `v1,${createHmac('sha256', key).update(text).digest('base64')}`;

function bodyOf({ id, kind, at, ...rest }: Message): string {
  return JSON.stringify({ version: 1, id, type: `ralph.${kind}`, timestamp: new Date(at).toISOString(), data: rest });
}
