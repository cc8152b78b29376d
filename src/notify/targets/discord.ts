/** Discord webhooks. */
import { ok } from '../../util/result.ts';
import { contextLine, type Message, placeLine } from '../message.ts';
import { post } from '../post.ts';
import { addressOf, type Target } from '../target.ts';

/** Discord's limit on the length of a message. */
const MOST = 2_000;

export const discord: Target = ({ fields }) => {
  const url = addressOf(fields.discord);
  if (!url.ok) return url;
  return ok((message, signal) => {
    // A text from an agent or a plan must not mention (ping) anybody.
    const body = JSON.stringify({ content: textOf(message).slice(0, MOST), allowed_mentions: { parse: [] } });
    return post({ url: url.value, body, signal });
  });
};

function textOf(message: Message): string {
  const { what, why, next } = message;
  const commands = next.length === 0 ? [] : ['```', ...next.map(command => command.replaceAll('`', "'")), '```'];
  const aside = [contextLine(message), placeLine(message)].map(escaped);
  return [`**${escaped(what)}**`, ...(why ? [escaped(why)] : []), ...commands, ...aside].join('\n');
}

const escaped = (text: string): string => text.replace(/[\\*_~`|>#[\]]/g, '\\$&');
