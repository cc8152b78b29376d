/** `ralph audit` */
import { guards } from '../audit/index.ts';
import { auditJson, auditMarkdown, auditText, painter, sarif } from '../report/index.ts';
import { audit as look } from '../start/index.ts';
import { type Handler, switchFlag, textFlag } from './command.ts';
import { complain, printOnce, wantsColor } from './print.ts';

declare const __VERSION__: string;

const FORMATS = ['json', 'sarif', 'markdown'] as const;

export const audit: Handler = async call => {
  const chosen = FORMATS.filter(format => switchFlag(call, format));
  if (chosen.length > 1)
    return complain({ reason: 'usage', message: `--${chosen.join(' and --')} exclude each other` });
  const [range] = call.args;
  const run = textFlag(call, 'replay');
  if (run !== undefined) {
    const other = ['sarif', 'markdown', 'allow'].find(flag => call.flags.has(flag));
    if (other === undefined && range === undefined) {
      // Loaded only here, because only a replay needs the code that runs gates.
      const { replay } = await import('./replay.ts');
      return await replay(call, run);
    }
    const what = other === undefined ? 'a range' : `--${other}`;
    return complain({
      reason: 'usage',
      message: `--replay and ${what} exclude each other`,
      hint: 'See: ralph audit --help',
    });
  }
  const allow =
    textFlag(call, 'allow')
      ?.split(',')
      .map(entry => entry.trim())
      .filter(Boolean) ?? [];
  const report = await look({ cwd: process.cwd(), env: process.env, allow, ...(range !== undefined && { range }) });
  if (!report.ok) return complain(report.error, 2);
  switch (chosen[0]) {
    case 'json':
      printOnce(auditJson(report.value));
      break;
    case 'sarif':
      printOnce(sarif({ version: __VERSION__, rules: Object.values(guards), findings: report.value.findings }));
      break;
    case 'markdown':
      printOnce(auditMarkdown(report.value));
      break;
    case undefined:
      printOnce(auditText(report.value, painter({ color: wantsColor() })));
  }
  return report.value.findings.some(finding => finding.level === 'block') ? 1 : 0;
};
