/** Secrets of many forms, and what only looks like one. Values are put together here, so that no scanner takes them for real. */
import { describe, expect, it } from 'vitest';
import { findSecrets, redact } from '../../src/audit/secrets.ts';

const LETTERS = 'q7RkT2vWx9LmN4pZs8BcD6fGh3JyKe5AuQ1rVt0XwYi';
/** The same every time, and as mixed as a real one. */
const value = (length: number, seed: number, letters = LETTERS) =>
  Array.from(
    { length },
    (_, index) => letters[(index * 17 + seed * 29 + ((index * index) % 13)) % letters.length],
  ).join('');
const hex = (length: number, seed: number) => value(length, seed, '0123456789abcdef');
const upper = (length: number, seed: number) => value(length, seed, 'QZ7RKT2VWX5LMN4PJS3BCD6FGH');

const FORMS: readonly (readonly [string, (seed: number) => string])[] = [
  ['GitHub', seed => `ghp_${value(36, seed)}`],
  ['GitHub fine-grained', seed => `github_pat_${value(70, seed)}`],
  ['GitLab', seed => `glpat-${value(20, seed)}`],
  ['AWS', seed => `AKIA${upper(16, seed)}`],
  ['AWS secret', seed => `aws_secret_access_key = ${value(40, seed)}`],
  ['Slack', seed => `xoxb-${value(12, seed, '7294816350')}-${value(24, seed)}`],
  ['Stripe', seed => `sk_live_${value(28, seed)}`],
  ['a model provider', seed => `sk-ant-api03-${value(60, seed)}`],
  ['Google', seed => `AIza${value(35, seed)}`],
  ['npm', seed => `npm_${value(36, seed)}`],
  ['SendGrid', seed => `SG.${value(22, seed)}.${value(43, seed)}`],
  ['Twilio', seed => `SK${hex(32, seed)}`],
  ['DigitalOcean', seed => `dop_v1_${hex(64, seed)}`],
  ['Telegram', seed => `${value(9, seed, '123456789')}:AA${value(33, seed)}`],
  ['Shopify', seed => `shpat_${hex(32, seed)}`],
  ['Vault', seed => `hvs.${value(30, seed)}`],
  ['a signed token', seed => `eyJ${value(20, seed)}.eyJ${value(30, seed)}.${value(43, seed)}`],
  ['GitHub, of an app', seed => `ghs_${value(36, seed)}`],
  ['GitLab, of a runner', seed => `glrt-${value(20, seed)}`],
  ['AWS, for a while', seed => `ASIA${upper(16, seed)}`],
  ['Slack, of an app', seed => `xapp-1-${upper(10, seed)}-${value(12, seed, '7294816350')}-${hex(40, seed)}`],
  [
    'a Slack webhook',
    seed => `https://hooks.slack.com/services/T${upper(8, seed)}/B${upper(8, seed)}/${value(24, seed)}`,
  ],
  ['Stripe, restricted', seed => `rk_live_${value(28, seed)}`],
  ['a Stripe webhook', seed => `whsec_${value(32, seed)}`],
  ['Google OAuth', seed => `ya29.${value(60, seed)}`],
  ['a Google client', seed => `GOCSPX-${value(28, seed)}`],
  ['PyPI', seed => `pypi-AgEIcHlwaS${value(60, seed)}`],
  ['Hugging Face', seed => `hf_${value(34, seed, LETTERS.replace(/\d/g, ''))}`],
  ['Discord', seed => `M${value(23, seed)}.${value(6, seed)}.${value(30, seed)}`],
  ['Azure', seed => `AccountKey=${value(86, seed)}==`],
  ['Mailgun', seed => `key-${hex(32, seed)}`],
  ['Vault, of a batch', seed => `hvb.${value(30, seed)}`],
  ['a private key', () => ['-----BEGIN RSA', 'PRIVATE KEY-----'].join(' ')],
  ['an address', seed => `postgres://shop:${value(16, seed)}@db.shop.io/shop`],
  ['a name', seed => `const apiKey = "${value(32, seed)}";`],
  ['an environment', seed => `SESSION_SECRET=${value(32, seed)}`],
];

describe('secrets', () => {
  it.each(FORMS)('of %s are found wherever they stand, and taken out', (_, form) => {
    for (let seed = 1; seed <= 10; seed++) {
      const text = `first line\n${form(seed)}\nlast line\n`;
      expect(findSecrets(text, { names: true }), text).toHaveLength(1);
      const clean = redact(text);
      expect(clean).toContain('characters]');
      expect(clean.startsWith('first line\n') && clean.endsWith('\nlast line\n')).toBe(true);
      expect(findSecrets(clean, { names: true })).toEqual([]);
    }
  });

  const HARMLESS = [
    'token: process.env.GITHUB_TOKEN',
    'password = "password123"',
    "apiKey: 'your-api-key-here-please'",
    'ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
    'AKIAIOSFODNN7EXAMPLE',
    'postgres://postgres:postgres@localhost:5432/db',
    'mysql://root:secret@127.0.0.1/db',
    'https://user:${PASSWORD}@host/x',
    'secret: ${{ secrets.NPM_TOKEN }}',
    'const token = await getToken(request);',
    'password: "correct horse battery staple"',
    'tokenize("abcdefghijklmnop")',
    'SECRET_KEY = os.environ["SECRET_KEY"]',
    'apiKey: import.meta.env.VITE_API_KEY',
    'sk-proj-your-key-goes-here-and-is-long-enough',
    'access_token=<your token>',
    'private_key_path = "/etc/ssl/private/server.key"',
    'passwordField = "user_password_confirmation"',
    'csrfToken: "{{ csrf_token }}"',
    'token = "test-token-for-unit-tests"',
    'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=',
    '"integrity": "sha512-abc"',
    'commit 2756994a1b2c3d4e5f60718293a4b5c6d7e8f901',
    'AUTH_TOKEN=changeme-changeme-changeme',
    'id: 550e8400-e29b-41d4-a716-446655440000',
    'bearer: "Authorization header"',
    'secretName: my-application-secret',
    'key: primary-navigation-menu-item-selected',
  ];
  it.each(HARMLESS)('are not seen in %s', text => {
    expect(findSecrets(text, { names: true })).toEqual([]);
  });
});
