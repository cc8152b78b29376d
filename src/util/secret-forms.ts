/** Recognizes secrets by the formats that providers use. */

export interface Secret {
  readonly what: string;
  readonly start: number;
  readonly end: number;
}

interface Form {
  readonly what: string;
  /** A short pattern that every secret of this form contains; a fast pre-check. */
  readonly sign: RegExp;
  readonly pattern: RegExp;
  /** The format is so specific that no placeholder looks like it. */
  readonly certain?: true;
}

const FORMS: readonly Form[] = [
  {
    what: 'a private key',
    sign: /PRIVATE KEY/,
    // Includes the content, even if its end is missing or its lines are joined by `\n`.
    pattern:
      /-----BEGIN (?:RSA |EC |DSA |OPENSSH |PGP |ENCRYPTED )?PRIVATE KEY(?: BLOCK)?-----(?:[^-]{0,8192}-----END [A-Z ]{0,30}-----|(?:(?:\s|\\n){1,4}[A-Za-z0-9+/=]{40,100}){0,120})/g,
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

/** All signs in one pattern: most texts have none, and one check is faster than many. */
export const SIGNS = new RegExp(FORMS.map(({ sign }) => sign.source).join('|'));

const PLACEHOLDER =
  /your|xxx|example|sample|placeholder|changeme|change[-_]?me|dummy|fake|foo|bar(?:\b|baz)|test|mock|redacted|insert|replace|todo|secret[-_]?(?:here|key|value)|\.\.\.|<|>|\*\*\*|1234567|abcdef|qwerty|deadbeef|process\.env|\$\{|\{\{|%\(|localhost|lorem|(.)\1{5,}|^(?:password|secret|token|string|none|null|undefined|true|false)/i;

/** In the order of the forms; matches may overlap. */
export function findForms(text: string): readonly Secret[] {
  const found: Secret[] = [];
  for (const { what, sign, pattern, certain } of SIGNS.test(text) ? FORMS : []) {
    if (!sign.test(text)) continue;
    for (const match of text.matchAll(pattern)) {
      if (certain || (!isPlaceholder(match[0]) && entropy(match[0]) >= 3)) {
        found.push({ what, start: match.index, end: match.index + match[0].length });
      }
    }
  }
  return found;
}

/** Replaces each secret by a description of what it was. */
export function withoutSecrets(text: string, secrets: readonly Secret[]): string {
  let [out, at] = ['', 0];
  for (const { what, start, end } of inOrder(secrets)) {
    out += `${text.slice(at, start)}[${what}, ${end - start} characters]`;
    at = end;
  }
  return at === 0 ? text : out + text.slice(at);
}

/** Sorted and without overlaps: of two that start at the same place, the longer one. */
export function inOrder(secrets: readonly Secret[]): readonly Secret[] {
  const sorted = secrets.toSorted((a, b) => a.start - b.start || b.end - a.end);
  let covered = 0;
  return sorted.filter(({ start, end }) => {
    if (start < covered) return false;
    covered = end;
    return true;
  });
}

export function isPlaceholder(value: string): boolean {
  return PLACEHOLDER.test(value);
}

/** Entropy in bits per character. */
export function entropy(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}
