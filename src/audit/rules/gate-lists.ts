/** Lists of what is run when nobody says otherwise: environments of tox, sessions of nox, tasks of rake, hooks. */
import type { LookFile } from '../look.ts';
import { gateKinds, isProof } from './gate-commands.ts';
import { type Found, quote } from './rule.ts';

interface GateList {
  readonly file: RegExp;
  readonly list: RegExp;
  /** Whether what was in the list is still there, so that it could be run. */
  readonly isThere: (name: string, code: string) => boolean;
  /** What an entry of the list runs in its turn. */
  readonly runs?: (name: string, code: string) => string;
}

const section = (name: string, code: string): string => {
  const at = code.indexOf(`[testenv:${name}]`);
  return at < 0 ? '' : (code.slice(at + 1).split(/^\[/m)[0] ?? '');
};
const CHECKER =
  /^(?:ruff|ruff-check|flake8|mypy|pylint|eslint|oxlint|pyright|basedpyright|bandit|shellcheck|pytest|clippy|cargo-(?:clippy|test|check)|golangci-lint\S*|go-(?:vet|test)\S*|tsc|rubocop|detect-secrets|gitleaks|hadolint|actionlint|yamllint|stylelint|vulture|semgrep|typecheck|tests?|lint|unit-?tests?|phpstan|ktlint|detekt)$/i;

const LISTS: readonly GateList[] = [
  {
    file: /(^|\/)tox\.ini$/,
    list: /^[^\S\n]*env_?list\s*=((?:[^\n]*)(?:\n[ \t]+[^\n]*)*)/m,
    isThere: (name, code) =>
      section(name, code)
        .split('\n')
        .some(line => gateKinds(line).some(isProof)),
  },
  {
    file: /(^|\/)noxfile\.py$/,
    list: /nox\.options\.sessions\s*=\s*[[(]([^\])]*)/,
    isThere: (name, code) => new RegExp(`def ${name.replace(/\W/g, '_')}\\b`).test(code),
  },
  {
    file: /(^|\/)(?:turbo|nx)\.json$/,
    list: /"(?:check|ci|verify|validate|all)"\s*:\s*\{[^}]*"dependsOn"\s*:\s*\[([^\]]*)\]/,
    isThere: (name, code) => /lint|test|type|check/.test(name) && code.includes(`"${name}":`),
    runs: (name, code) =>
      new RegExp(`"${escaped(name)}"\\s*:\\s*\\{[^}]*"dependsOn"\\s*:\\s*\\[([^\\]]*)\\]`).exec(code)?.[1] ?? '',
  },
  {
    file: /(^|\/)Rakefile$/,
    list: /^[^\S\n]*task\s*\(?\s*(?::default\s*=>|default:|\[?:default\]?\s*=>)([^\n]*)/m,
    isThere: name => /spec|test|cop|lint|standard|brakeman|typecheck|sorbet|steep/.test(name),
    runs: (name, code) =>
      new RegExp(`^[^\\S\\n]*task\\s*\\(?\\s*(?:${escaped(name)}:|:${escaped(name)}\\s*=>)([^\\n]*)`, 'm').exec(
        code,
      )?.[1] ?? '',
  },
];

const escaped = (name: string): string => name.replace(/[.:-]/g, '\\$&');
const namesIn = (list: string): readonly string[] => list.replace(/%[iw]/g, ' ').match(/[\w:.-]{2,}/g) ?? [];

export function lostFromLists(file: LookFile): readonly Found[] {
  if (/\.pre-commit-config\.ya?ml$/.test(file.path)) return lostHooks(file);
  return LISTS.flatMap(({ file: pattern, list, isThere, runs }): readonly Found[] => {
    if (!pattern.test(file.path)) return [];
    const names = (code: string) => namesIn(list.exec(code)?.[1] ?? '');
    const now = new Set(names(file.after.code));
    if (now.size === 0) return [];
    // A set is gone through with what is added to it on the way.
    for (const name of now) for (const next of namesIn(runs?.(name, file.after.code) ?? '')) now.add(next);
    return names(file.before.code)
      .filter(name => !now.has(name) && isThere(name, file.after.code))
      .map(name => ({
        message: `${quote(name)} is no longer run unless somebody asks for it`,
        path: file.path,
        line: file.removed.find(({ text }) => text.includes(name))?.number ?? 1,
      }));
  });
}

/** A checker that went, and nothing that came for it. */
function lostHooks(file: LookFile): readonly Found[] {
  const ids = (code: string) => [...code.matchAll(/^[^\S\n]*-\s+id:\s*["']?([\w.-]+)/gm)].map(match => match[1] ?? '');
  const [before, after] = [ids(file.before.code), new Set(ids(file.after.code))];
  const came = [...after].some(id => !before.includes(id));
  const gone = came ? [] : before.filter(id => CHECKER.test(id) && !after.has(id));
  return gone.map(id => ({
    message: `the hook ${quote(id)} is gone`,
    path: file.path,
    line: file.removed.find(({ text }) => text.includes(id))?.number ?? 1,
  }));
}
