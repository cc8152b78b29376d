/** What each target sends, byte for byte, and what is said when it does not arrive. */
import { createHmac } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { notifyTargets } from '../../src/config/notify.ts';
import type { TargetConfig } from '../../src/config/notify-schema.ts';
import { type Message, placeLine } from '../../src/notify/message.ts';
import { senderOf } from '../../src/notify/target-line.ts';
import { until } from '../support/until.ts';
import { absent, listen } from './servers.ts';

const message: Message = {
  id: 'r-1',
  kind: 'blocked',
  at: Date.UTC(2026, 0, 8, 6, 30),
  what: 'US-3 Pay <now> is blocked',
  why: '3 attempts were rejected: `npm test` & *more*',
  next: ['ralph logs 7', 'ralph retry US-3 --with "..."'],
  item: 'US-3',
  run: '2026-01-08-shop',
  plan: 'Shop',
  branch: 'ralph/shop',
  repository: 'shop',
  folder: '/home/me/shop',
  host: 'box',
  done: 4,
  total: 12,
  blocked: 1,
  costUsd: 3.2,
  limitUsd: 25,
};

const BODY = `3 attempts were rejected: \`npm test\` & *more*

Next:
  ralph logs 7
  ralph retry US-3 --with "..."

shop · 2026-01-08-shop · 4 of 12 done · $3.20 of $25.00
On box: cd /home/me/shop`;

const top = realpathSync(mkdtempSync(join(tmpdir(), 'ralph-notify-')));
afterAll(() => rmSync(top, { recursive: true, force: true }));

async function send(target: TargetConfig, env: Record<string, string> = {}, ms = 5_000): Promise<string> {
  const [one] = notifyTargets([target]);
  if (!one) throw new Error('no target');
  const programEnv = { PATH: process.env.PATH, HOME: top, ...env };
  const made = senderOf(one, { env: { ...programEnv }, programEnv, root: join(top, 'repo') });
  if (!made.ok) return made.error;
  return (await made.value(message, AbortSignal.timeout(ms)))?.why ?? 'taken';
}

describe('a webhook', () => {
  test('gets the message as JSON, signed so that a receiver can verify it', async () => {
    const server = await listen(200);
    expect(await send({ webhook: `${server.url}/hook?a=1`, secret: '${KEY}' }, { KEY: 's3cret-s3cret' })).toBe('taken');
    const [got] = server.got;
    expect(got?.path).toBe('/hook?a=1');
    expect(got?.headers['content-type']).toBe('application/json; charset=utf-8');
    const { id: _, kind: __, at: ___, ...data } = message;
    expect(JSON.parse(got?.body ?? '')).toEqual({
      version: 1,
      id: 'r-1',
      type: 'ralph.blocked',
      timestamp: '2026-01-08T06:30:00.000Z',
      data,
    });
    const signed = `${String(got?.headers['webhook-id'])}.${String(got?.headers['webhook-timestamp'])}.${got?.body}`;
    const expected = createHmac('sha256', 's3cret-s3cret').update(signed).digest('base64');
    expect(got?.headers['webhook-id']).toBe('r-1');
    expect(got?.headers['webhook-signature']).toBe(`v1,${expected}`);
  });

  test('takes a secret in the form of Standard Webhooks, and goes unsigned without one', async () => {
    const server = await listen(200);
    const key = Buffer.from('twenty-four bytes of key');
    await send({ webhook: server.url, secret: '${KEY}' }, { KEY: `whsec_${key.toString('base64')}` });
    await send({ webhook: server.url });
    const [signed, bare] = server.got;
    const text = `r-1.${String(signed?.headers['webhook-timestamp'])}.${signed?.body}`;
    expect(signed?.headers['webhook-signature']).toBe(`v1,${createHmac('sha256', key).update(text).digest('base64')}`);
    expect(bare?.headers['webhook-signature']).toBeUndefined();
  });
});

test('Slack gets text in which nothing is a mention, Discord text that calls nobody', async () => {
  const server = await listen(204);
  const env = { HOOK: `${server.url}/services/T0/B0/abcdefgh` };
  expect([await send({ slack: '${HOOK}' }, env), await send({ discord: '${HOOK}' }, env)]).toEqual(['taken', 'taken']);
  const [slack, discord] = server.got.map(({ body }) => JSON.parse(body) as unknown);
  expect(slack).toEqual({
    text: `*US-3 Pay &lt;now&gt; is blocked*
3 attempts were rejected: \`npm test\` &amp; *more*
\`\`\`ralph logs 7
ralph retry US-3 --with "..."\`\`\`
shop · 2026-01-08-shop · 4 of 12 done · $3.20 of $25.00
On box: cd /home/me/shop`,
  });
  expect(discord).toEqual({
    content: `**US-3 Pay <now\\> is blocked**
3 attempts were rejected: \\\`npm test\\\` & \\*more\\*
\`\`\`
ralph logs 7
ralph retry US-3 --with "..."
\`\`\`
shop · 2026-01-08-shop · 4 of 12 done · $3.20 of $25.00
On box: cd /home/me/shop`,
    allowed_mentions: { parse: [] },
  });
});

test('ntfy and Telegram get plain text, and their tokens where they belong', async () => {
  const server = await listen(200);
  const env = { TOKEN: 'tk_abcdefgh', BOT: '12345:ABCdefGHI_jkl' };
  expect(await send({ ntfy: `${server.url}/my-topic`, token: '${TOKEN}' }, env)).toBe('taken');
  expect(await send({ telegram: '-100', token: '${BOT}', api: server.url }, env)).toBe('taken');
  const [ntfy, telegram] = server.got;
  expect([ntfy?.path, ntfy?.headers.authorization]).toEqual(['/', 'Bearer tk_abcdefgh']);
  expect(JSON.parse(ntfy?.body ?? '')).toEqual({
    topic: 'my-topic',
    title: 'US-3 Pay <now> is blocked',
    message: BODY,
    priority: 3,
    tags: ['blocked'],
  });
  expect(telegram?.path).toBe('/bot12345:ABCdefGHI_jkl/sendMessage');
  expect(JSON.parse(telegram?.body ?? '')).toEqual({
    chat_id: '-100',
    text: `US-3 Pay <now> is blocked\n${BODY}`,
    link_preview_options: { is_disabled: true },
  });
});

test('what goes wrong is said in words, without the address or the token', async () => {
  const [refuses, drops, silent] = await Promise.all([listen(500), listen('drop'), listen('never')]);
  const gone = await absent();
  const said = [
    await send({ slack: '${HOOK}' }, { HOOK: `${refuses.url}/services/T0SECRET/B0SECRET` }),
    await send({ telegram: '1', token: '${BOT}', api: refuses.url }, { BOT: '1234:SECRET_token' }),
    await send({ discord: '${HOOK}' }, { HOOK: `${drops.url}/api/SECRET` }),
    await send({ webhook: '${HOOK}' }, { HOOK: `${silent.url}/SECRET` }, 50),
    await send({ ntfy: '${HOOK}' }, { HOOK: `${gone}/SECRET` }),
    await send({ slack: '${HOOK}' }, { HOOK: 'SECRET-is-no-address' }),
    await send({ slack: '${HOOK}' }, {}),
    await send({ webhook: 'https://no-such-host.invalid/' }),
  ];
  expect(said).toEqual([
    'it answered 500: no: /[hidden]/[hidden]/[hidden]',
    'it answered 500: no: /bot[hidden]/sendMessage',
    'the connection was dropped',
    'it did not answer in time',
    'nothing listens there (connection refused)',
    'its address does not begin with https:// or http://',
    'HOOK is not set',
    expect.stringMatching(/^(there is no host of this name|the name of the host could not be looked up)$/),
  ]);
});

describe('programs', () => {
  const bin = join(top, 'bin');
  const script = (path: string, lines: string) => {
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, `#!/bin/sh\n${lines}\n`);
    chmodSync(path, 0o755);
    return path;
  };

  test('a command gets the message on its standard input and in its environment', async () => {
    const tell = script(
      join(bin, 'tell'),
      `cat > ${top}/in; printf '%s|' "$@" "$RALPH_NOTIFY_TITLE" "$MINE" "$PWD" > ${top}/args`,
    );
    expect(await send({ command: ['~/bin/tell', '--loud'], env: ['MINE'] }, { MINE: 'm1ne' })).toBe('taken');
    expect(JSON.parse(readFileSync(join(top, 'in'), 'utf8'))).toEqual(message);
    expect(readFileSync(join(top, 'args'), 'utf8')).toBe(`--loud|US-3 Pay <now> is blocked|m1ne|${top}|`);
    script(tell, 'echo "no display: $MINE" >&2; exit 3');
    expect(await send({ command: [tell], env: ['MINE'] }, { MINE: 'm1ne-secret' })).toBe(
      'it exited with 3: no display: [hidden]',
    );
    script(tell, `sleep 30 & echo $! > ${top}/pid; wait`);
    expect(await send({ command: [tell] }, {}, 500)).toBe('it did not end in time and was ended');
    const pid = Number(readFileSync(join(top, 'pid'), 'utf8'));
    await until(() => !existsSync(`/proc/${pid}`) || /^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8')));
  });

  test('one that an agent could change is not run, whatever its place in the PATH', async () => {
    const repo = join(top, 'repo');
    const marker = join(top, 'was-run');
    script(join(repo, 'node_modules/.bin/tell-me'), `touch ${marker}`);
    script(join(repo, 'tell.sh'), `touch ${marker}`);
    const inside = /in the repository, where an agent can change it/;
    expect(await send({ command: ['./tell.sh'] })).toMatch(inside);
    expect(await send({ command: ['sh', 'tell.sh'] })).toMatch(inside);
    expect(await send({ command: [join(repo, 'tell.sh')] })).toMatch(inside);
    const env = { PATH: `${repo}/node_modules/.bin:.:${process.env.PATH}` };
    expect(await send({ command: ['tell-me'] }, env)).toBe('there is no program tell-me on the PATH');
    expect(existsSync(marker)).toBe(false);
  });

  test.runIf(process.platform === 'linux')('the desktop is told by notify-send, without markup', async () => {
    script(join(bin, 'notify-send'), `printf '%s\\n' "$@" > ${top}/desktop`);
    expect(await send({ desktop: true }, { PATH: `${bin}:${process.env.PATH}` })).toBe('taken');
    const body = BODY.replace('&', '&amp;');
    expect(readFileSync(join(top, 'desktop'), 'utf8')).toBe(
      `--app-name=ralph\n--urgency=normal\n--\nUS-3 Pay <now> is blocked\n${body}\n`,
    );
    expect(await send({ desktop: true }, { PATH: '/nowhere' })).toBe('there is no program notify-send on the PATH');
  });
});

test('where commands are to be run can be pasted, whatever the folder is called', () => {
  expect(placeLine({ ...message, folder: "/home/me/my shop's $till" })).toBe(
    "On box: cd '/home/me/my shop'\\''s $till'",
  );
});
