/** Slack incoming webhooks. */
import { ok } from '../../util/result.ts';
import { contextLine, type Message, placeLine } from '../message.ts';
import { post } from '../post.ts';
import { addressOf, type Target } from '../target.ts';

export const slack: Target = ({ fields }) => {
  const url = addressOf(fields.slack);
  if (!url.ok) return url;
  return ok((message, signal) => post({ url: url.value, body: JSON.stringify({ text: textOf(message) }), signal }));
};

function textOf(message: Message): string {
  const { what, why, next } = message;
  const commands = next.length === 0 ? [] : [`\`\`\`${next.map(inCode).join('\n')}\`\`\``];
  const aside = [contextLine(message), placeLine(message)].map(escaped).join('\n');
  return [`*${escaped(what)}*`, ...(why ? [escaped(why)] : []), ...commands, aside].join('\n');
}

/** The only characters that Slack interprets: mentions and links begin with `<`. */
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const inCode = (text: string): string => escaped(text.replaceAll('`', "'"));
