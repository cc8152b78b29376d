/** Findings as SARIF 2.1.0, for code scanning and editors. */
import type { Finding, Level } from '../protocol.ts';

export interface SarifInput {
  readonly version: string;
  /** Per rule: its default level and a sentence about it. */
  readonly rules: readonly { readonly id: string; readonly level: Level; readonly about: string }[];
  readonly findings: readonly Finding[];
}

const LEVELS: Readonly<Record<Level, 'error' | 'warning' | 'note'>> = { block: 'error', warn: 'warning', note: 'note' };

export function sarif({ version, rules, findings }: SarifInput): string {
  const index = new Map(rules.map(({ id }, at) => [id, at]));
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'ralph audit',
            version,
            rules: rules.map(({ id, level, about }) => ({
              id,
              shortDescription: { text: about },
              defaultConfiguration: { level: LEVELS[level] },
            })),
          },
        },
        originalUriBaseIds: { ROOT: { description: { text: 'The top of the repository.' } } },
        results: findings.map(finding => ({
          ruleId: finding.rule,
          ...(index.has(finding.rule) && { ruleIndex: index.get(finding.rule) }),
          level: LEVELS[finding.level],
          message: { text: finding.message },
          locations: finding.path === undefined ? [] : [location(finding.path, finding.line)],
        })),
      },
    ],
  };
  return `${JSON.stringify(log, undefined, 2)}\n`;
}

const location = (path: string, line: number | undefined) => ({
  physicalLocation: {
    artifactLocation: { uri: path.split('/').map(encodeURIComponent).join('/'), uriBaseId: 'ROOT' },
    region: { startLine: line ?? 1 },
  },
});
