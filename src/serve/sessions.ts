/**
 * Sessions: a browser signs in with a one-time code from the terminal, or with the password, and then has a cookie. Sessions
 * are only in memory and end with the server.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { keepNewest } from '../util/bounded.ts';

export interface Session {
  /** Sent with every command. */
  readonly csrf: string;
}

export interface Sessions {
  /** The code for the next sign-in. */
  code(): string;
  /** Exchanges a code for a cookie value; the code is invalid from then on. */
  byCode(code: string): string | undefined;
  byPassword(password: string): string | undefined;
  /** Finds a session by the cookie header of a request. */
  of(cookies: string | undefined): Session | undefined;
  readonly cookie: string;
  readonly hasPassword: boolean;
}

const BYTES = 32;
/** Sessions at a time; the oldest is dropped. */
const MOST = 50;
/** Wrong passwords per minute, after which all are refused. */
const GUESSES = 5;
const MINUTE_MS = 60_000;

export function openSessions({
  port,
  password,
}: {
  readonly port: number;
  readonly password?: string | undefined;
}): Sessions {
  // Cookies are shared by all ports of a host, so the name includes the port.
  const cookie = `ralph-${port}`;
  const sessions = new Map<string, Session>();
  let code = secret();
  let wrong: readonly number[] = [];
  const open = (): string => {
    const token = secret();
    sessions.set(digest(token).toString('hex'), { csrf: secret() });
    keepNewest(sessions, MOST);
    return token;
  };
  return {
    cookie,
    hasPassword: password !== undefined,
    code: () => code,
    byCode: given => {
      if (!isSame(given, code)) return undefined;
      code = secret();
      return open();
    },
    byPassword: given => {
      const now = Date.now();
      wrong = wrong.filter(at => now - at < MINUTE_MS);
      if (password === undefined || wrong.length >= GUESSES) return undefined;
      if (isSame(given, password)) return open();
      wrong = [...wrong, now];
      return undefined;
    },
    of: cookies => {
      const token = (cookies ?? '')
        .split(';')
        .map(pair => pair.trim())
        .find(pair => pair.startsWith(`${cookie}=`))
        ?.slice(cookie.length + 1);
      // Looked up by digest, so that timing reveals nothing about the token.
      return token === undefined ? undefined : sessions.get(digest(token).toString('hex'));
    },
  };
}

const secret = (): string => randomBytes(BYTES).toString('base64url');
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Compares in constant time. */
export const isSame = (given: string, wanted: string): boolean => timingSafeEqual(digest(given), digest(wanted));
