/** Turns `otel:` and `--otlp` into an address and headers. */
import { type Failure, fail, ok, type Result } from '../util/result.ts';
import type { Clean } from './otlp.ts';
import type { Collector } from './post.ts';

/** An address without a path is that of a collector, which takes traces at `/v1/traces`. */
export function collectorAt(
  { endpoint, headers = {} }: { readonly endpoint: string; readonly headers?: Readonly<Record<string, string>> },
  { env, clean }: { readonly env: NodeJS.ProcessEnv; readonly clean: Clean },
): Result<Collector> {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) return fail(noUrl(endpoint));
  if (url.username || url.password) return fail(withLogin);
  if (url.pathname === '/') url.pathname = '/v1/traces';
  const missing = Object.values(headers)
    .flatMap(namesIn)
    .find(name => !env[name]);
  if (missing !== undefined) {
    return fail({
      reason: 'config-invalid',
      message: `a header of otel needs the variable ${missing}, which is not set`,
      hint: `Set it where ralph is started: export ${missing}=...`,
    });
  }
  const filled = Object.entries(headers).map(([name, value]) => [
    name.toLowerCase(),
    value.replace(VARIABLE, (_, key: string) => env[key] ?? ''),
  ]);
  const secrets = Object.values(headers)
    .flatMap(namesIn)
    .flatMap(name => secretForms(env[name] ?? ''));
  const hide: Clean = text => secrets.reduce((left, secret) => left.replaceAll(secret, '[hidden]'), text);
  return ok({ url: url.href, headers: Object.fromEntries(filled), clean, hide });
}

const secretForms = (value: string): readonly string[] => [value, JSON.stringify(value).slice(1, -1)];

/** A secret has no place in a file that is committed: `${NAME}` stands for a variable. */
const VARIABLE = /\$\{(\w+)\}/g;
const namesIn = (value: string): readonly string[] => [...value.matchAll(VARIABLE)].map(([, name = '']) => name);

const withLogin: Failure = {
  reason: 'config-invalid',
  message: 'the address of a collector must not hold a name or a password',
  hint: 'Use a header: otel: {endpoint: "https://otel.example.com", headers: {authorization: "Basic ${OTEL_LOGIN}"}}',
};

const noUrl = (endpoint: string): Failure => ({
  reason: 'config-invalid',
  message: `"${endpoint}" is not an http or https address`,
  hint: 'Name a collector, for example: http://localhost:4318',
});
