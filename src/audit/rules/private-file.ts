/**
 * Files that belong to a person or a machine, and not in a repository.
 *
 *     - (nothing)
 *     + .env, id_rsa, .claude/history.jsonl
 */
import type { Found, Rule } from './rule.ts';

const KEYS =
  /(^|\/)(?:\.env(?:\.(?:local|production|prod|development|dev|staging))?(?:\.local)?|\.netrc|_netrc|\.pypirc|\.pgpass|\.htpasswd|id_(?:rsa|dsa|ecdsa|ed25519)|\.git-credentials|credentials\.json|service[-_]?account[^/]*\.json|client_secret[^/]*\.json|[^/]*firebase-adminsdk[^/]*\.json|[^/]*\.tfstate(?:\.backup)?|kubeconfig[^/]*|[^/]*(?:dump|backup)[^/]*\.(?:sql|bak|dump)(?:\.gz)?)$|(^|\/)\.(?:aws|ssh|gnupg|kube|docker)\/|\.(?:p12|pfx|jks|keystore|kdbx|ppk|ovpn)$|(?<!public|pub)\.key$/i;
const HARMLESS =
  /(?:example|sample|template|dist|default|schema|\.pub$)|(^|\/)(?:fixtures?|testdata|__fixtures__|tests?|specs?|__tests__|examples?)\//i;
const STATE =
  /(^|\/)(?:\.ralph|\.claude\/(?:projects|todos|shell-snapshots|statsig)|\.codex\/sessions|\.aider\.\w+[^/]*)(?:\/|$)|(^|\/)(?:core\.\d+|npm-debug\.log[^/]*|yarn-error\.log|\.DS_Store|Thumbs\.db)$/;

export const privateFile: Rule = {
  id: 'private-file',
  level: 'block',
  about: 'Keys, environment files, session logs and state of tools.',
  check: ({ changes, files }) => [
    ...changes.flatMap(({ path, kind }): readonly Found[] => {
      if (kind !== 'added' || HARMLESS.test(path)) return [];
      if (KEYS.test(path))
        return [{ message: `${path} is a place for secrets, not for a commit; ignore it instead`, path }];
      if (!STATE.test(path)) return [];
      const junk = /DS_Store|Thumbs/.test(path);
      return [{ message: `${path} is state of a tool, not work`, path, ...(junk && { level: 'note' as const }) }];
    }),
    ...files.flatMap(({ path, change, after }): readonly Found[] => {
      if (change.kind !== 'added' || !/\.jsonl$|\.log$/.test(path) || !isTranscript(after.text)) return [];
      return [{ message: `${path} is a transcript of an agent's session`, path, line: 1 }];
    }),
  ],
};

/** JSON lines with the typical fields of agents' logs. */
function isTranscript(text: string): boolean {
  const head = text.slice(0, 20_000);
  const hits = head.match(/"(?:sessionId|session_id|parentUuid|tool_use_id|toolUseResult|thread_id|rollout_id)"\s*:/g);
  return (hits?.length ?? 0) >= 2 && /"(?:role|type)"\s*:/.test(head);
}
