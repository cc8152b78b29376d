/** E-mail, handed to a real SMTP server. */
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { afterAll, describe, expect, test } from 'vitest';
import { notifyTargets } from '../../src/config/notify.ts';
import { isAddress, mailText } from '../../src/notify/mail-text.ts';
import type { Message } from '../../src/notify/message.ts';
import { senderOf } from '../../src/notify/target-line.ts';
import { absent, listen } from './servers.ts';

const message: Message = {
  id: 'r-1',
  kind: 'needs-person',
  at: Date.UTC(2026, 0, 8, 6, 30),
  what: 'Ein Mensch wird gebraucht: Zahlung ändern – heute, und das ist eine recht lange Zeile',
  why: '.\r\n.. a line of dots\r\nBcc: evil@example.com',
  next: ['ralph run'],
  run: 'r',
  plan: 'Shop',
  branch: 'b',
  repository: 'shop\r\nBcc: evil@example.com',
  folder: '/shop',
  host: 'box',
  done: 1,
  total: 2,
  blocked: 1,
  costUsd: 0,
  limitUsd: 25,
};

interface Mailbox {
  readonly port: number;
  readonly mails: {
    readonly from: string;
    readonly to: readonly string[];
    readonly text: string;
    readonly secure: boolean;
  }[];
}

const servers: SMTPServer[] = [];
afterAll(() => {
  for (const server of servers.splice(0)) server.close(() => undefined);
});

async function mailbox(options: SMTPServerOptions = {}): Promise<Mailbox> {
  const mails: Mailbox['mails'] = [];
  // Its own certificate is one that nobody vouches for.
  const server = new SMTPServer({
    authOptional: true,
    // LOGIN and PLAIN, as most servers have them.
    authMethods: ['PLAIN', 'LOGIN'],
    onAuth: ({ username, password }, _, done) =>
      username === 'me' && password === 'p4ss-word' ? done(null, { user: 'me' }) : done(new Error(`no: ${password}`)),
    onData: (stream, session, done) => {
      let text = '';
      stream.on('data', (chunk: Buffer) => {
        text += chunk.toString('utf8');
      });
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        const from = mailFrom ? mailFrom.address : '';
        mails.push({ from, to: rcptTo.map(({ address }) => address), text, secure: session.secure });
        done();
      });
    },
    ...options,
  });
  server.on('error', () => undefined);
  servers.push(server);
  const port = await new Promise<number>(resolve => {
    const listening = server.listen(0, '0.0.0.0', () => resolve((listening.address() as AddressInfo).port));
  });
  return { port, mails };
}

async function send(smtp: string, more: Record<string, string> = {}, ms = 8_000): Promise<string> {
  const config = { email: 'me@example.com, you@example.com', from: 'ralph@example.com', smtp, ...more };
  const [target] = notifyTargets([config]);
  if (!target) throw new Error('no target');
  const env = { SMTP_PASSWORD: 'p4ss-word', WRONG: 'wr0ng-word' };
  const made = senderOf(target, { env, programEnv: {}, root: '/nowhere' });
  if (!made.ok) return made.error;
  return (await made.value(message, AbortSignal.timeout(ms)))?.why ?? 'taken';
}

describe('a mail', () => {
  test('arrives whole over STARTTLS and over TLS, after a login, with nothing added to it', async () => {
    const [plain, secure] = [await mailbox(), await mailbox({ secure: true })];
    const login = { user: 'me', password: '${SMTP_PASSWORD}' };
    expect(await send(`smtp://127.0.0.1:${plain.port}`, login)).toBe('taken');
    expect(await send(`smtps://localhost:${secure.port}`, login)).toBe('taken');
    for (const { mails } of [plain, secure]) {
      const [mail] = mails;
      expect([mail?.from, mail?.to, mail?.secure]).toEqual([
        'ralph@example.com',
        ['me@example.com', 'you@example.com'],
        true,
      ]);
      const [head = '', body = ''] = (mail?.text ?? '').split('\r\n\r\n');
      expect(head.split('\r\n').filter(line => /^(bcc|cc):/i.test(line))).toEqual([]);
      expect(head.split('\r\n').every(line => line.length <= 78)).toBe(true);
      expect(subjectOf(head)).toContain('Zahlung ändern – heute');
      expect(head).toContain('Date: Thu, 08 Jan 2026 06:30:00 +0000');
      expect(Buffer.from(body, 'base64').toString('utf8')).toContain('.. a line of dots\r\nBcc: evil@example.com');
    }
  });

  test('is not sent in the clear to another machine, nor to one whose certificate nobody vouches for', async () => {
    const [bare, selfSigned] = [await mailbox({ disabledCommands: ['STARTTLS'] }), await mailbox()];
    // Any other address of this machine is treated as another machine.
    expect(await send(`smtp://127.0.0.2:${bare.port}`)).toMatch(/STARTTLS|TLS/i);
    expect(await send(`smtp://127.0.0.2:${selfSigned.port}`)).toMatch(/certificate|altnames/i);
    expect([bare.mails, selfSigned.mails]).toEqual([[], []]);
    expect(await send(`smtp://127.0.0.1:${bare.port}`)).toBe('taken');
  });

  test('that is refused says so without the password', async () => {
    const box = await mailbox({ onRcptTo: (_, __, done) => done(new Error('no such mailbox')) });
    expect(await send(`smtp://127.0.0.1:${box.port}`)).toMatch(/^it answered 550 no such mailbox/);
    const said = await send(`smtp://127.0.0.1:${box.port}`, { user: 'me', password: '${WRONG}' });
    expect(said).toMatch(/^it answered 535 no: \[hidden\]/);
    const [gone, silent, drops] = [await absent(), await listen('never'), await listen('drop')];
    expect(await send(gone.replace('http', 'smtp'))).toBe('nothing listens there (connection refused)');
    expect(await send(`smtp://127.0.0.1:${silent.port}`, {}, 200)).toBe('it did not answer in time');
    expect(await send(`smtps://127.0.0.1:${drops.port}`)).not.toBe('taken');
    expect(await send('smtp://127.0.0.1', { user: 'me' })).toBe('it has only one of user and password');
    expect(await send('smtp://127.0.0.1', { from: 'a@b.c\r\nBcc: d@e.f' })).toContain('plain addresses');
  });
});

test('an address is one address', () => {
  expect(['a@b.c', 'ä@b.c'].every(isAddress)).toBe(true);
  expect(['', 'a', 'a@b@c', 'A <a@b.c>', 'a@b.c\nX: y', 'a@b.c,d@e.f', 'a b@c.d'].some(isAddress)).toBe(false);
});

test('no header of a mail can be made by what is in it', () => {
  const envelope = { from: 'a@example.com', to: ['b@example.com'] };
  const [head = ''] = mailText({ ...message, what: 'a\r\nBcc: c@example.com' }, envelope).split('\r\n\r\n');
  const names = head
    .split('\r\n')
    .filter(line => !line.startsWith(' '))
    .map(line => line.split(':')[0]);
  expect(names).toEqual([
    ...['From', 'To', 'Subject', 'Date', 'Message-ID', 'Auto-Submitted', 'MIME-Version'],
    ...['Content-Type', 'Content-Transfer-Encoding'],
  ]);
});

/** As a reader of mail decodes it. */
const subjectOf = (head: string): string =>
  [...(/^Subject: (.*(?:\r\n .*)*)/m.exec(head)?.[1] ?? '').matchAll(/=\?utf-8\?B\?(.*?)\?=/g)]
    .map(([, word = '']) => Buffer.from(word, 'base64').toString('utf8'))
    .join('');
