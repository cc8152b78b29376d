/** The text of an audit, for a terminal or as Markdown. */
import type { Finding, Level } from '../protocol.ts';
import { plural } from '../util/show.ts';
import { code, text } from './markdown-text.ts';
import { type Paint, say, type Tone } from './style.ts';

export interface AuditReport {
  readonly base: string;
  readonly head: string;
  readonly files: number;
  readonly added: number;
  readonly deleted: number;
  readonly findings: readonly Finding[];
}

const LEVELS: readonly Level[] = ['block', 'warn', 'note'];
const TONES: Readonly<Record<Level, Tone>> = { block: 'bad', warn: 'warn', note: 'dim' };

const inOrder = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Worst level first; within a level in the order of the files. */
const sorted = (findings: readonly Finding[]): readonly Finding[] =>
  findings.toSorted(
    (a, b) =>
      LEVELS.indexOf(a.level) - LEVELS.indexOf(b.level) ||
      inOrder(a.path ?? '', b.path ?? '') ||
      (a.line ?? 0) - (b.line ?? 0),
  );

const countOf = ({ findings }: AuditReport, level: Level): number =>
  findings.filter(finding => finding.level === level).length;

function placeOf({ path, line }: Finding): string {
  if (path === undefined) return '';
  return line === undefined ? path : `${path}:${line}`;
}

function head({ base, head: to, files, added, deleted }: AuditReport): string {
  return `${say(base)}..${say(to)}: ${plural(files, 'file')}, +${added} -${deleted}`;
}

function closing(report: AuditReport): string {
  const [block, warn, note] = LEVELS.map(level => countOf(report, level));
  if (!block && !warn && !note) return 'clean';
  return [
    block ? `${block} to block` : 'nothing to block',
    warn ? plural(warn, 'warning') : '',
    note ? plural(note, 'note') : '',
  ]
    .filter(Boolean)
    .join(', ');
}

export function auditText(report: AuditReport, paint: Paint): string {
  const rows = sorted(report.findings).flatMap(finding => {
    const place = placeOf(finding);
    return [
      `${paint(TONES[finding.level], finding.level.padEnd(5))}  ${paint('strong', finding.rule)}${place ? `  ${say(place, 200)}` : ''}`,
      `       ${say(finding.message, 300)}`,
    ];
  });
  return [head(report), ...rows, closing(report), ''].join('\n');
}

export function auditMarkdown(report: AuditReport): string {
  const rows = sorted(report.findings).map(finding => {
    const place = placeOf(finding);
    return `| ${finding.level} | ${text(finding.rule)} | ${place ? text(place, 200) : ''} | ${text(finding.message, 300)} |`;
  });
  const table = rows.length > 0 ? ['| level | rule | where | what |', '|---|---|---|---|', ...rows, ''] : [];
  const { base, head: to, files, added, deleted } = report;
  const title = `### Audit of ${code(`${base}..${to}`)}`;
  return [title, '', `${plural(files, 'file')}, +${added} -${deleted}: **${closing(report)}**`, '', ...table].join(
    '\n',
  );
}

/** The audit for programs; the fields of a finding are those of the journal. */
export function auditJson(report: AuditReport): string {
  const counts = Object.fromEntries(LEVELS.map(level => [level, countOf(report, level)]));
  return `${JSON.stringify({ ...report, findings: sorted(report.findings), counts }, undefined, 2)}\n`;
}
