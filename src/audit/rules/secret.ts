/**
 * Secrets in added lines.
 *
 *     - const token = process.env.TOKEN;
 *     + const token = 'ghp_' and 36 random letters;
 */
import { findSecrets, mayHoldSecrets } from '../secrets.ts';
import type { Found, Rule } from './rule.ts';

/** This many findings are enough to refuse a file full of secrets. */
const PER_FILE = 5;

export const secret: Rule = {
  id: 'secret',
  level: 'block',
  about: 'Keys, tokens and passwords; the value is never shown.',
  check: ({ files }) =>
    files.flatMap((file): readonly Found[] => {
      if (file.role === 'lockfile' || !mayHoldSecrets(file.after.text) || file.added.length === 0) return [];
      // Tests are full of made-up passwords, so there only the formats of providers count.
      const names = !/^(?:test|test-support|fixture|snapshot|docs)$/.test(file.role);
      const text = file.added.map(line => line.text).join('\n');
      const secrets = findSecrets(text, { names, settings: /^(?:toml|yaml|text)$/.test(file.language) });
      if (secrets.length === 0) return [];
      const known = file.before.text;
      return secrets
        .filter(({ start, end }) => !known.includes(text.slice(start, end)))
        .slice(0, PER_FILE)
        .map(({ what, start, end }) => {
          const at = text.slice(0, start).split('\n').length - 1;
          const line = file.added[at]?.number ?? 1;
          const message = `${what} (${end - start} characters) is part of the change; take it out and read it from the environment`;
          return { message, path: file.path, line };
        });
    }),
};
