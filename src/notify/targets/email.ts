/** E-mail through the user's own server. */
import { fail, ok, type Result } from '../../util/result.ts';
import { type Envelope, isAddress, mailText } from '../mail-text.ts';
import { addressOf, type Target } from '../target.ts';

export const email: Target = ({ fields }) => {
  const url = addressOf(fields.smtp, ['smtps:', 'smtp:']);
  if (!url.ok) return url;
  const envelope = envelopeOf(fields);
  if (!envelope.ok) return envelope;
  const { user, password } = fields;
  if ((user === undefined) !== (password === undefined)) return fail('it has only one of user and password');
  const { hostname, port, protocol } = url.value;
  const server = {
    host: hostname.replace(/^\[|\]$/g, ''),
    secure: protocol === 'smtps:',
    ...(port === '' ? {} : { port: Number(port) }),
    ...(user !== undefined && password !== undefined ? { login: { user, pass: password } } : {}),
  };
  return ok(async (message, signal) => {
    const { sendMail } = await import('../smtp.ts');
    return await sendMail({ server, envelope: envelope.value, text: mailText(message, envelope.value), signal });
  });
};

function envelopeOf({ from = '', email: to = '' }: Readonly<Record<string, string>>): Result<Envelope, string> {
  const all = to.split(',').map(address => address.trim());
  const wrong = [from.trim(), ...all].find(address => !isAddress(address));
  return wrong === undefined
    ? ok({ from: from.trim(), to: all })
    : fail('from and email have to be plain addresses, such as me@example.com');
}
