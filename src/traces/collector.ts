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
  return ok({ url: url.href, headers: Object.fromEntries(filled), clean });
}

/** A secret has no place in a file that is committed: `${NAME}` stands for a variable. */
const VARIABLE = /\$\{(\w+)\}/g;
const namesIn = (value: string): readonly string[] => [...value.matchAll(VARIABLE)].map(([, name = '']) => name);

const noUrl = (endpoint: string): Failure => ({
  reason: 'config-invalid',
  message: `"${endpoint}" is not an http or https address`,
  hint: 'Name a collector, for example: http://localhost:4318',
});
