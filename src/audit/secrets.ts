/** Secrets in text: found by the forms providers give them, and by names that say so; never repeated anywhere. */

export interface Secret {
  readonly what: string;
  readonly start: number;
  readonly end: number;
}

interface Form {
  readonly what: string;
  /** Is in each of them, and is found much faster. */
  readonly sign: RegExp;
  readonly pattern: RegExp;
  /** A form so particular that no placeholder looks like it. */
  readonly certain?: true;
}

const FORMS: readonly Form[] = [
  {
    what: 'a private key',
    sign: /PRIVATE KEY/,
    pattern: /-----BEGIN (?:RSA |EC |DSA |OPENSSH |PGP |ENCRYPTED )?PRIVATE KEY(?: BLOCK)?-----/g,
    certain: true,
  },
  {
    what: 'an AWS access key',
    sign: /AKIA|ASIA|ABIA|ACCA/,
    pattern: /(?<![A-Z0-9])(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}(?![A-Z0-9])/g,
  },
  {
    what: 'a GitHub token',
    sign: /ghp_|gho_|ghu_|ghs_|ghr_|github_pat_/,
    pattern: /\b(?:gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{60,255})\b/g,
  },
  {
    what: 'a GitLab token',
    sign: /glpat-|gldt-|glrt-|glptt-|gloas-/,
    pattern: /\bgl(?:pat|dt|rt|ptt|oas)-[A-Za-z0-9_-]{20,64}/g,
  },
  {
    what: 'a Slack token',
    sign: /xox|xapp-/,
    pattern: /\bxox[abeoprs]-[A-Za-z0-9-]{10,250}|\bxapp-\d-[A-Z0-9]+-\d+-[a-f0-9]{32,}/g,
  },
  {
    what: 'a Slack webhook',
    sign: /hooks\.slack\.com/,
    pattern: /hooks\.slack\.com\/services\/T[A-Z0-9]{6,}\/B[A-Z0-9]{6,}\/[A-Za-z0-9]{20,}/g,
  },
  {
    what: 'a Stripe key',
    sign: /sk_|rk_|whsec_/,
    pattern: /\b(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{20,120}|\bwhsec_[A-Za-z0-9]{24,}/g,
  },
  {
    what: 'an API key of a model provider',
    sign: /sk-/,
    pattern: /\bsk-(?:ant-[a-z0-9]+-|proj-|svcacct-|or-v1-)?[A-Za-z0-9_-]{32,200}/g,
  },
  { what: 'a Google API key', sign: /AIza/, pattern: /\bAIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])/g },
  {
    what: 'a Google OAuth token',
    sign: /ya29\.|GOCSPX-/,
    pattern: /\bya29\.[A-Za-z0-9_-]{40,}|\bGOCSPX-[A-Za-z0-9_-]{28}/g,
  },
  { what: 'an npm token', sign: /npm_/, pattern: /\bnpm_[A-Za-z0-9]{36}\b/g },
  { what: 'a PyPI token', sign: /pypi-/, pattern: /\bpypi-AgEIcHlwaS[A-Za-z0-9_-]{50,}/g },
  { what: 'a SendGrid key', sign: /SG\./, pattern: /\bSG\.[A-Za-z0-9_-]{20,24}\.[A-Za-z0-9_-]{39,50}/g },
  { what: 'a Twilio key', sign: /SK|AC/, pattern: /\b(?:SK|AC)[a-f0-9]{32}\b/g },
  { what: 'a Hugging Face token', sign: /hf_/, pattern: /\bhf_[A-Za-z]{34}\b/g },
  { what: 'a DigitalOcean token', sign: /_v1_/, pattern: /\bdo[opr]_v1_[a-f0-9]{64}\b/g },
  { what: 'a Telegram bot token', sign: /:AA/, pattern: /\b\d{8,10}:AA[A-Za-z0-9_-]{32,35}/g },
  {
    what: 'a Discord token',
    sign: /\b[MNO][A-Za-z\d]{23}/,
    pattern: /\b[MNO][A-Za-z\d]{23,25}\.[A-Za-z\d_-]{6}\.[A-Za-z\d_-]{27,38}/g,
  },
  { what: 'an Azure storage key', sign: /AccountKey=/, pattern: /AccountKey=[A-Za-z0-9+/]{86}==/g },
  { what: 'a Shopify token', sign: /shp/, pattern: /\bshp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}\b/g },
  { what: 'a Datadog or Mailgun key', sign: /key-/, pattern: /\bkey-[a-f0-9]{32}\b/g },
  { what: 'a Vault token', sign: /hvs\.|hvb\./, pattern: /\bhv[sb]\.[A-Za-z0-9_-]{24,}/g },
  {
    what: 'a bearer token',
    sign: /Bearer /,
    pattern: /\bBearer (?=[A-Za-z0-9._~+/-]*\d)(?=[A-Za-z0-9._~+/-]*[A-Z])[A-Za-z0-9._~+/-]{32,}/g,
  },
  {
    what: 'a signed token',
    sign: /eyJ/,
    pattern: /\beyJ[A-Za-z0-9_-]{16,}\.eyJ[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{20,}/g,
  },
];

/** Any sign: most texts have none, and one question is faster than many. */
const SIGNS = new RegExp(FORMS.map(({ sign }) => sign.source).join('|'));

/** In every name below that says what its value is. */
const NAMES = /secret|token|key|passw|passphrase|bearer/i;

/** Whether it is worth to look closer. */
export const mayHoldSecrets = (text: string): boolean => text.includes('://') || NAMES.test(text) || SIGNS.test(text);

/** `postgres://user:password@host`, where the host is not this machine. */
const URL_PASSWORD =
  /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:/@'"`<>{}$]{1,80}:([^\s@/'"`<>{}$]{6,120})@([^\s/'"`:<>]{1,120})/gi;
/** What every such address has, beginning with what is found fast. */
const MAY_BE_URL_PASSWORD = /:\/\/[^\s:/@'"`<>{}$]{1,80}:[^\s@/'"`<>{}$]{6,120}@/;
const NAMED =
  /(?:api[_-]?key|apikey|secret(?:[_-]?(?:key|access[_-]?key))?|access[_-]?key(?:[_-]?id)?|auth[_-]?token|access[_-]?token|refresh[_-]?token|bearer|client[_-]?secret|private[_-]?key|encryption[_-]?key|signing[_-]?key|passw(?:or)?d|passphrase|token)["']?\s*(?::=|=>|[:=])\s*(["'`])([^"'`\s]{12,200})\1/gi;
const UNQUOTED =
  /^[^\S\n]*(?:export\s+)?[A-Z0-9_]*(?:SECRET|TOKEN|API_?KEY|ACCESS_?KEY|PASSWORD|PASSWD|PRIVATE_?KEY)[A-Z0-9_]*\s*=\s*([^\s"'`#$<{(]{16,200})\s*$/gm;
/** In files of settings nobody needs quotes. */
const SETTING =
  /^[ \t]*[\w.-]*(?:secret|token|api[_-]?key|access[_-]?key|passw(?:or)?d|private[_-]?key)[ \t]*[:=][ \t]*([^\s"'`#$<{(]{12,200})[ \t]*$/gim;
const AWS_SECRET = /aws[\w.-]{0,20}secret[\w.-]{0,20}["']?\s*[:=]\s*["']?([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])/gi;

const PLACEHOLDER =
  /your|xxx|example|sample|placeholder|changeme|change[-_]?me|dummy|fake|foo|bar(?:\b|baz)|test|mock|redacted|insert|replace|todo|secret[-_]?(?:here|key|value)|\.\.\.|<|>|\*\*\*|1234567|abcdef|qwerty|deadbeef|process\.env|\$\{|\{\{|%\(|localhost|lorem|(.)\1{5,}|^(?:password|secret|token|string|none|null|undefined|true|false)/i;

/** All of them, in order and without overlaps. */
export function findSecrets(
  text: string,
  { names, settings = false }: { readonly names: boolean; readonly settings?: boolean },
): readonly Secret[] {
  const found: Secret[] = [];
  for (const { what, sign, pattern, certain } of SIGNS.test(text) ? FORMS : []) {
    if (!sign.test(text)) continue;
    for (const match of text.matchAll(pattern)) {
      if (certain || (!isPlaceholder(match[0]) && entropy(match[0]) >= 3)) {
        found.push({ what, start: match.index, end: match.index + match[0].length });
      }
    }
  }
  for (const match of MAY_BE_URL_PASSWORD.test(text) ? text.matchAll(URL_PASSWORD) : []) {
    const [whole, password = '', host = ''] = match;
    if (
      isPlaceholder(password) ||
      /^(?:localhost|127\.[\d.]+|0\.0\.0\.0|\[::1\]|(?:host|db|database|postgres|mysql|redis|mongo|mongodb|rabbitmq|server)|(?:\w+\.)*example(?:\.\w+)?|(?:\w+\.)*(?:test|invalid|localhost))$/i.test(
        host,
      )
    )
      continue;
    if (/^(?:postgres|password|pass|root|admin|user|guest|secret|mysql|redis)\w{0,3}$/i.test(password)) continue;
    const start = match.index + whole.lastIndexOf(`:${password}@`) + 1;
    found.push({ what: 'a password in an address', start, end: start + password.length });
  }
  const isNamed = NAMES.test(text);
  for (const match of isNamed ? text.matchAll(AWS_SECRET) : []) push(match, match[1] ?? '', 'an AWS secret key', 4);
  if (names && isNamed) {
    for (const match of text.matchAll(NAMED)) push(match, match[2] ?? '', 'a secret by its name', 3.5);
    for (const match of settings ? text.matchAll(SETTING) : [])
      push(match, match[1] ?? '', 'a secret by its name', 3.5);
    for (const match of text.matchAll(UNQUOTED)) push(match, match[1] ?? '', 'a secret by its name', 3.5);
  }
  const sorted = found.sort((a, b) => a.start - b.start || b.end - a.end);
  return sorted.filter((secret, index) => index === 0 || secret.start >= (sorted[index - 1]?.end ?? 0));

  function push(match: RegExpMatchArray, value: string, what: string, least: number): void {
    if (isPlaceholder(value) || !looksRandom(value) || entropy(value) < least) return;
    const start = (match.index ?? 0) + match[0].lastIndexOf(value);
    found.push({ what, start, end: start + value.length });
  }
}

/** The text with every value gone; what it was stays. */
export function redact(text: string): string {
  if (text === '') return text;
  let [out, at] = ['', 0];
  for (const { what, start, end } of findSecrets(text, { names: true })) {
    out += `${text.slice(at, start)}[${what}, ${end - start} characters]`;
    at = end;
  }
  return at === 0 ? text : out + text.slice(at);
}

function isPlaceholder(value: string): boolean {
  return PLACEHOLDER.test(value);
}

/** Words, paths and identifiers have high entropy too; what is random mixes its kinds of characters. */
function looksRandom(value: string): boolean {
  if (/[\s(){}[\];,]|^[./@#]|::|->|\w\.\w+\(|^\w+(?:\.\w+)+$/.test(value)) return false;
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z0-9]/].filter(kind => kind.test(value)).length;
  if (kinds >= 3) return /\d/.test(value);
  return (
    kinds === 2 && /\d/.test(value) && !/^[a-z]+[-_]?\d{1,4}$/i.test(value) && (value.match(/\d/g)?.length ?? 0) >= 4
  );
}

/** Bits per character. */
function entropy(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}
