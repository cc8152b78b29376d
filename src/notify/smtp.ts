/** Sends one message to an SMTP server. Loaded only if a message goes by e-mail. */
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import { networkError } from '../util/network-error.ts';
import { oneLine } from '../util/show.ts';
import type { Envelope } from './mail-text.ts';
import type { Trouble } from './target.ts';

export interface Mail {
  readonly server: {
    readonly host: string;
    /** If absent: 465 with TLS from the start, otherwise 587. */
    readonly port?: number;
    readonly secure: boolean;
    readonly login?: { readonly user: string; readonly pass: string };
  };
  readonly envelope: Envelope;
  readonly text: string;
  readonly signal: AbortSignal;
}

const QUIET_MS = 10_000;
const FAREWELL_MS = 1_000;
const LOOPBACK = ['localhost', '127.0.0.1', '::1'];

export async function sendMail({ server, envelope, text, signal }: Mail): Promise<Trouble | undefined> {
  const { login, ...address } = server;
  const isHere = LOOPBACK.includes(server.host);
  const connection = new SMTPConnection({
    ...address,
    // A message that leaves the machine must be encrypted. On the machine itself nobody can listen, and certificates are seldom valid.
    requireTLS: !isHere,
    tls: { rejectUnauthorized: !isHere },
    connectionTimeout: QUIET_MS,
    greetingTimeout: QUIET_MS,
    socketTimeout: QUIET_MS,
    dnsTimeout: QUIET_MS,
  });
  try {
    const broken = new Promise<never>((_, reject) => {
      connection.on('error', reject);
      signal.addEventListener('abort', () => reject(new Error('it did not answer in time')), { once: true });
    });
    // Prevents an unhandled rejection while no step is awaited.
    broken.catch(() => undefined);
    const step = (act: (done: (error?: Error | null) => void) => void) =>
      Promise.race([broken, new Promise<void>((resolve, reject) => act(error => (error ? reject(error) : resolve())))]);
    await step(done => connection.connect(done));
    if (login) await step(done => connection.login({ credentials: login }, done));
    await step(done => connection.send({ from: envelope.from, to: [...envelope.to] }, text, done));
    connection.quit();
    // A server that does not hang up must not keep the process alive.
    setTimeout(() => connection.close(), FAREWELL_MS).unref();
    return undefined;
  } catch (error) {
    connection.close();
    return troubleOf(error as SmtpError);
  }
}

interface SmtpError extends Error {
  readonly code?: string;
  readonly responseCode?: number;
  readonly response?: string;
}

/** From code 500 on, a retry does not help. */
function troubleOf(error: SmtpError): Trouble {
  const { code, responseCode, response } = error;
  if (code === 'ETLS') return { why: 'it offers no TLS (STARTTLS), without which nothing leaves this machine' };
  if (responseCode !== undefined && responseCode >= 400) {
    const why = `it answered ${oneLine(response ?? String(responseCode), 200)}`;
    return responseCode < 500 ? { why, again: true } : { why };
  }
  return { why: networkError(error), again: true };
}
