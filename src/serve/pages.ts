/** The few pages made here: those shown before sign-in, and one for a build without the page. */

const page = (title: string, body: string, head = ''): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">${head}<title>${title}</title></head><body><main>${body}</main></body></html>\n`;

/** Only the sign-in form. */
export const lockedPage = (hasPassword: boolean): string =>
  page(
    'Ralph: not signed in',
    `<h1>This page needs a sign-in</h1><p>Open the address that <code>ralph serve</code> shows in its terminal; each works once.</p>${
      hasPassword
        ? '<form method="post" action="/login"><p><label>Password <input type="password" name="password" autocomplete="current-password" required></label> <button>Sign in</button></p></form>'
        : ''
    }`,
  );

export const usedCodePage = page(
  'Ralph: this address was used',
  '<h1>This address was used already</h1><p>The terminal of <code>ralph serve</code> shows a new one.</p>',
);

/** A page and not a redirect: after a navigation from another program, browsers do not send the new cookie along. */
export const signedInPage = page(
  'Ralph',
  '<p>Signed in. <a href="/">Go on to the page</a></p>',
  '<meta http-equiv="refresh" content="0;url=/">',
);

/** For a build without the page. */
export const placeholderPage = page(
  'Ralph',
  '<h1>Ralph</h1><p>The page is not part of this build. The same is in the terminal: <code>ralph status</code>, <code>ralph watch</code>, <code>ralph report</code>; for programs: <a href="/api/v1/runs">/api/v1/runs</a>.</p>',
);
