/** Fills variables into a target's settings, and removes their values from everything that is reported about it. */
import { missingVariables, type NotifyTarget, secretsNamed } from '../config/index.ts';
import { fail, ok, type Result } from '../util/result.ts';

export interface Filled {
  readonly fields: Readonly<Record<string, string>>;
  /** Removes the values from a text. */
  readonly hide: (text: string) => string;
}

export function fill(target: NotifyTarget, env: NodeJS.ProcessEnv): Result<Filled, string> {
  const missing = missingVariables(target, env);
  if (missing.length > 0) return fail(`${missing.join(' and ')} ${missing.length === 1 ? 'is' : 'are'} not set`);
  const fields = Object.fromEntries(
    Object.entries(target.fields).map(([key, text]) => [
      key,
      text.replace(/\$\{([A-Za-z_]\w*)\}/g, (_, name: string) => env[name] ?? ''),
    ]),
  );
  const pieces = secretsNamed(target)
    .flatMap(name => piecesOf(env[name] ?? ''))
    .toSorted((a, b) => b.length - a.length);
  return ok({ fields, hide: text => pieces.reduce((left, piece) => left.replaceAll(piece, '[hidden]'), text) });
}

/** Shorter parts of an address are plain words, which reveal nothing. */
const LEAST = 5;

/** A value may be echoed whole, encoded, or as a part of its address. */
function piecesOf(value: string): readonly string[] {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  const parts = url ? [url.host, ...url.pathname.split('/'), ...url.searchParams.values()] : [];
  const base64 = Buffer.from(value).toString('base64');
  return [value, encodeURIComponent(value), base64, ...parts.filter(part => part.length >= LEAST)].filter(Boolean);
}
