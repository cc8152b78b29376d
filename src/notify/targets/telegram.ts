/** A Telegram bot. */
import { ok } from '../../util/result.ts';
import { bodyText } from '../message.ts';
import { post } from '../post.ts';
import { addressOf, type Target } from '../target.ts';

export const telegram: Target = ({ fields }) => {
  const server = addressOf(fields.api ?? 'https://api.telegram.org');
  if (!server.ok) return server;
  const url = new URL(`/bot${encodeURIComponent(fields.token ?? '').replaceAll('%3A', ':')}/sendMessage`, server.value);
  return ok((message, signal) => {
    // Without a parse mode the text is not interpreted.
    const text = `${message.what}\n${bodyText(message)}`;
    const body = { chat_id: fields.telegram, text, link_preview_options: { is_disabled: true } };
    return post({ url, body: JSON.stringify(body), signal });
  });
};
