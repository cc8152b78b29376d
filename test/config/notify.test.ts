/** `notify` in ralph.yaml: what is refused, with the place and a way out, and what the variables in it mean for agents. */

import { expect, it, test } from 'vitest';
import { settings } from '../../src/config/make-settings.ts';
import { withoutSecrets } from '../../src/config/notify.ts';
import { parseConfig } from '../../src/config/read.ts';
import { complaint } from './complaint.ts';

const SECRET = 'a secret does not belong in this file, which agents read; name a variable that holds it';

it.each([
  ['notify: {desktop: true}', '1:1: notify must be a list of targets'],
  ['notify: [{}]', '1:10: notify.0: a target is one of webhook, '],
  ['notify: [{pager: "1"}]', '1:11: notify.0: unknown key "pager"'],
  ['notify: [{slak: "${A}"}]', '1:11: notify.0: unknown key "slak"\n  Did you mean "slack"?'],
  ['notify: [{desktop: true, webhook: "https://a"}]', 'notify.0.desktop: webhook and desktop are two targets'],
  ['notify: [{desktop: true, token: "${A}"}]', '1:26: notify.0.token: a target of the kind desktop has no token'],
  ['notify: [{telegram: "1"}]', '1:10: notify.0: a target of the kind telegram needs token'],
  ['notify: [{slack: "https://hooks.slack.com/services/T/B/x"}]', `1:11: notify.0.slack: ${SECRET}`],
  ['notify: [{webhook: "https://a", secret: hunter2}]', `1:33: notify.0.secret: ${SECRET}`],
  ['notify: [{telegram: "1", token: "1:a"}]', `notify.0.token: ${SECRET}`],
  ['notify: [{webhook: "https://me:pass@a"}]', 'notify.0.webhook: an address must not hold a name or a password'],
  ['notify: [{desktop: true, on: [finished]}]', 'notify.0.on.0 must be a list of done, blocked'],
  ['notify: [{desktop: true, name: a}, {desktop: true, name: a}]', 'notify.1.name: two targets are named "a"'],
  ['notify: [{command: [a], env: ["A=b"]}]', 'notify.0.env.0 must be a list of names of variables'],
])('%j is refused', (text, said) => {
  expect(complaint(text)).toContain(said.replace('notify.0.on.0', 'notify.0.on').replace('env.0', 'env'));
});

test('every target has a name, and its variables are taken from everybody else', () => {
  const parsed = parseConfig(
    `notify:
      - {slack: "\${HOOK}"}
      - {slack: "https://\${HOST}/\${PART}", name: slack-2}
      - {slack: "\${HOOK}", on: [done], items: SPEC-*}
      - {email: "\${USER}@example.com", from: a@b.c, smtp: "smtps://m"}
      - {command: [x], env: [KEY, HOME]}`,
    'ralph.yaml',
  );
  if (!parsed.ok) throw new Error(parsed.error.message);
  const { notify } = settings('/nowhere', { config: parsed.value });
  expect(notify.map(({ name }) => name)).toEqual(['slack', 'slack-2', 'slack-3', 'email', 'command']);
  expect([notify[0]?.on.length, notify[2]?.on, notify[2]?.items]).toEqual([8, ['done'], ['SPEC-*']]);
  const env = { HOOK: 'a', HOST: 'b', PART: 'c', USER: 'd', KEY: 'e', HOME: 'f', OTHER: 'g' };
  expect(withoutSecrets(env, notify)).toEqual({ USER: 'd', HOME: 'f', OTHER: 'g' });
});
