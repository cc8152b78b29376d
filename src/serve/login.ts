/** The way in: a code of the terminal's, or the password. Neither stays in an address, and no code works twice. */
import { type Exchange, sendPage } from './answer.ts';
import { lockedPage, signedInPage, usedCodePage } from './pages.ts';
import { readBody } from './read-body.ts';
import type { Sessions } from './sessions.ts';

export interface LoginOptions {
  readonly query: URLSearchParams;
  readonly sessions: Sessions;
  /** A code was used. */
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
  // A look ahead (HEAD) must not use it up.
  const token = request.method === 'GET' ? sessions.byCode(query.get('code') ?? '') : undefined;
  if (token === undefined) return sendPage(exchange, usedCodePage, 401);
  letIn(token);
  onSignIn();
}
