/** Sign-in with a code from the terminal, or with the password. Neither stays in a URL, and a code works only once. */
import { type Exchange, sendPage } from './answer.ts';
import { lockedPage, signedInPage, usedCodePage } from './pages.ts';
import { readBody } from './read-body.ts';
import type { Sessions } from './sessions.ts';

export interface LoginOptions {
  readonly query: URLSearchParams;
  readonly sessions: Sessions;
  /** Called when a code was used. */
  readonly onSignIn: () => void;
}

export async function login(exchange: Exchange, { query, sessions, onSignIn }: LoginOptions): Promise<void> {
  const { request } = exchange;
  const letIn = (token: string): void =>
    sendPage(exchange, signedInPage, 200, {
      'Set-Cookie': `${sessions.cookie}=${token}; HttpOnly; SameSite=Strict; Path=/`,
    });
  if (request.method === 'POST') {
    const isForm = request.headers['content-type'] === 'application/x-www-form-urlencoded';
    const body = isForm && sessions.hasPassword ? await readBody(request) : undefined;
    const token = body === undefined ? undefined : sessions.byPassword(new URLSearchParams(body).get('password') ?? '');
    return token === undefined ? sendPage(exchange, lockedPage(sessions.hasPassword), 401) : letIn(token);
  }
  // A prefetch (HEAD) must not consume the code.
  const token = request.method === 'GET' ? sessions.byCode(query.get('code') ?? '') : undefined;
  if (token === undefined) return sendPage(exchange, usedCodePage, 401);
  letIn(token);
  onSignIn();
}
