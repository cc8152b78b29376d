/** A message as the text of an e-mail (RFC 5322): short headers, and a body that is safe whatever it contains. */
import { bodyText, type Message } from './message.ts';

export interface Envelope {
  readonly from: string;
  readonly to: readonly string[];
}

const LINE = 76;

export function mailText(message: Message, { from, to }: Envelope): string {
  const subject = `[ralph] ${message.repository}: ${message.what}`;
  const headers = [
    `From: ${from}`,
    `To: ${to.join(', ')}`,
    `Subject: ${encodedWords(subject)}`,
    `Date: ${new Date(message.at).toUTCString().replace('GMT', '+0000')}`,
    `Message-ID: <${message.id.replace(/[^\w.-]/g, '-')}@${from.split('@').at(-1)}>`,
    'Auto-Submitted: auto-generated',
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: base64',
  ];
  const body = Buffer.from(`${message.what}\n\n${bodyText(message)}\n`).toString('base64');
  return [...headers, '', ...(body.match(new RegExp(`.{1,${LINE}}`, 'g')) ?? []), ''].join('\r\n');
}

/** Encodes a header as RFC 2047 requires: no character is split, no word is too long, nothing can end the header. */
function encodedWords(text: string): string {
  const words: string[] = [];
  let part = '';
  for (const letter of text) {
    if (Buffer.byteLength(part + letter) > 42) {
      words.push(part);
      part = '';
    }
    part += letter;
  }
  return [...words, part].map(word => `=?utf-8?B?${Buffer.from(word).toString('base64')}?=`).join('\r\n ');
}

/** A single bare address: no display name, no line break that could start a header, no second recipient. */
export const isAddress = (text: string): boolean =>
  /^[^\s@<>(),;:"\\[\]\p{Cc}]+@[^\s@<>(),;:"\\[\]\p{Cc}]+$/u.test(text);
