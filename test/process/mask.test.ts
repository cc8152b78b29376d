/** Secrets do not get past the pipe: whatever the borders of chunks are. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { maskOf } from '../../src/process/mask.ts';
import { secretValues } from '../../src/util/secret-values.ts';

const ENV = {
  SHOP_PASSWORD: 'correct horse "battery"',
  SHOP_API_KEY: 'c4nary-Value/99',
  PEM_SECRET: `-----BEGIN PRIVATE KEY-----\n${'MIIEvQIBADANBgkq'.repeat(3)}\nlastLine0fTheKey9\n-----END PRIVATE KEY-----`,
  MAX_THINKING_TOKENS: '31999',
  SSH_AUTH_SOCK: '/tmp/agent.sock',
  GIT_AUTHOR_NAME: 'somebody',
  // Words that are in every stream of events.
  WEBHOOK_USER: 'assistant',
  TOKEN_MODE: 'text_delta',
  HALF_SECRET: 'half \ud800 of a pair 1',
};
// Put together here, so that no scanner takes this file for a leak.
const TOKEN = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`;
const JWT = ['eyJhbGciOiJIUzI1NiIsInR5cCI', 'eyJzdWIiOiIxMjM0NTY3ODkwIn0', 'dBjftJeZ4CVPmB92K27uhbUJU1p1r'].join('.');
const KEY = `-----BEGIN RSA PRIVATE KEY-----\n${'Zm9vYmFyYmF6cXV4'.repeat(4)}\n-----END RSA PRIVATE KEY-----`;

const TEXT = [
  'starts with a line',
  `password: ${ENV.SHOP_PASSWORD}, key=${ENV.SHOP_API_KEY}.`,
  JSON.stringify({ tool: 'echo', output: `${ENV.SHOP_PASSWORD} ${TOKEN}` }),
  `curl -H "Authorization: Bearer ${TOKEN}"`,
  `jwt ${JWT} end`,
  KEY,
  'lastLine0fTheKey9',
  `${encodeURIComponent(ENV.SHOP_PASSWORD)} ünïcode ✓`,
].join('\n');

const SECRETS = [
  ENV.SHOP_PASSWORD,
  JSON.stringify(ENV.SHOP_PASSWORD).slice(1, -1),
  encodeURIComponent(ENV.SHOP_PASSWORD),
  ENV.SHOP_API_KEY,
  TOKEN,
  JWT,
  'Zm9vYmFyYmF6cXV4Zm9v',
  'lastLine0fTheKey9',
];

function through(pieces: readonly Buffer[]): string {
  const mask = maskOf(secretValues(ENV));
  return Buffer.concat([...pieces.map(piece => mask.write(piece)), mask.end()]).toString();
}

describe('a mask', () => {
  const bytes = Buffer.from(TEXT);
  const whole = through([bytes]);

  test('hides values of the environment and keys, and says what was there', () => {
    for (const secret of SECRETS) expect(whole).not.toContain(secret);
    expect(whole).toContain('password: [SHOP_PASSWORD hidden], key=[SHOP_API_KEY hidden].');
    expect(whole).toContain('"output":"[SHOP_PASSWORD hidden] [a GitHub token, 40 characters]"');
    expect(whole).toContain('starts with a line\n');
    expect(whole).toMatch(/ünïcode ✓$/);
    expect(through([Buffer.from('{"type":"assistant"}')])).toBe('{"type":"assistant"}');
  });

  test('does so cut at each byte', () => {
    for (let at = 1; at < bytes.length; at++) expect(through([bytes.subarray(0, at), bytes.subarray(at)])).toBe(whole);
    expect(through([...bytes].map(byte => Buffer.from([byte])))).toBe(whole);
  });

  test('leaves every other byte as it is', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 20 }), pieces => {
        const mask = maskOf(secretValues(ENV));
        const out = Buffer.concat([...pieces.map(piece => mask.write(Buffer.from(piece))), mask.end()]);
        expect(out.equals(Buffer.concat(pieces))).toBe(true);
      }),
    );
  });

  test('holds back no more than a word', () => {
    const mask = maskOf([]);
    const long = Buffer.alloc(100_000, 'x');
    expect(mask.write(long).length).toBeGreaterThan(90_000);
    expect(mask.write(Buffer.from('done\n')).toString()).toMatch(/done\n$/);
  });

  test('knows which variables are secrets', () => {
    const names = new Set(secretValues(ENV).map(({ name }) => name));
    expect([...names].toSorted()).toEqual(['HALF_SECRET', 'PEM_SECRET', 'SHOP_API_KEY', 'SHOP_PASSWORD']);
  });
});
