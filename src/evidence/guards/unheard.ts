/** Failures of gates that a script or a pipeline hears and does nothing about. */
import type { Line, LookFile } from '../look.ts';
import { gateKinds, isProof } from './gate-commands.ts';

const isGate = (code: string): boolean => gateKinds(code).some(isProof);

/** The status of a command is kept and given on. */
export function keepsStatus(file: LookFile, number: number): boolean {
  const rest = file.after.lines.slice(number, number + 15).join('\n');
  if (/\bexit\s+["']?\$|\breturn\s+["']?\$|(?:if|test|\[\[?|\(\()\s*["']?\$\{?(?:\?|PIPESTATUS)/.test(rest))
    return true;
  const name = /(\w+)=["']?\$\{?(?:\?|PIPESTATUS)/.exec(rest)?.[1];
  return (
    name !== undefined &&
    new RegExp(`(?:if|test|\\[\\[?|\\(\\(|exit|>>)[^\\n]*\\b${name}\\b|\\$\\{?${name}\\b[^\\n]*GITHUB_OUTPUT`).test(
      rest,
    )
  );
}

/** What goes unheard about a line, or nothing. */
export function unheard(file: LookFile, line: Line): string | undefined {
  const { code } = line;
  if (/^\s*(?:-\s+)?(?:run\s*:\s*)?@?if\s+!?\s*/.test(code) && isGate(code)) return branches(file, line.number);
  if (/^\s*(?:-\s+)?@?if\s+\[/.test(code) && ASKED.test(code)) return onlyIfAsked(file, line.number);
  if (/^\s*shell\s*:\s*["']?(?:bash|sh)\b[^\n]*\{0\}/.test(code) && !/\s-\w*e|errexit/.test(code))
    return near(file, line.number) ? 'lets the step go on after a failure' : undefined;
  return /^jenkinsfile|\/jenkinsfile/i.test(file.path) ? inJenkins(file, line) : undefined;
}

const ASKED =
  /\[\s*(?:-n\s+["']?\$\{?(?!CI\b|VERBOSE|DEBUG)\w+|["']?\$\{?(?!CI\b|\w*OS\b|\w*OSTYPE|VERBOSE|DEBUG)\w+[^\]]*==?\s*["']?(?:1|true|yes|on)\b)/;

/** A gate that ran always and runs now only where a variable says so. */
function onlyIfAsked(file: LookFile, number: number): string | undefined {
  const lines = file.after.codeLines.slice(number - 1, number + 25);
  const end = lines.findIndex(code => /(?:^|[\s;])fi\b/.test(code));
  const [then = '', otherwise = ''] = lines
    .slice(1, end < 0 ? undefined : end)
    .join('\n')
    .split(/^[^\S\n]*else\b/m);
  const gates = then
    .split('\n')
    .filter(isGate)
    .map(code => code.trim());
  const wasBare = file.before.codeLines.some(code => gates.some(gate => code.trim() === gate && !/^\s/.test(code)));
  return gates.length > 0 && wasBare && !otherwise.split('\n').some(isGate)
    ? 'runs a gate only where it is asked for'
    : undefined;
}

/** `if ! npm test; then echo; fi` where no branch fails. */
function branches(file: LookFile, number: number): string | undefined {
  const lines = file.after.codeLines.slice(number - 1, number + 25);
  const end = lines.findIndex(code => /(?:^|[\s;])fi\b/.test(code));
  const block = lines.slice(0, end < 0 ? lines.length : end + 1).join('\n');
  const rest = lines.slice(end + 1).join('\n');
  if (
    /\bexit\s+(?!0)|\breturn\s+(?!0)|\bfalse\b|\bexit\b\s*$|\w+=(?:["']?\w+["']?)?(?=[\s;]|$)/m.test(
      block.replace(/^[^\n]*?\bthen\b/, ' '),
    ) ||
    /exit\s+["']?\$/.test(rest)
  )
    return undefined;
  return 'hears of a failure and goes on';
}

const near = (file: LookFile, number: number): boolean =>
  file.after.codeLines.slice(Math.max(0, number - 4), number + 8).some(isGate);

function inJenkins(file: LookFile, line: Line): string | undefined {
  const { code, number } = line;
  const inside = file.after.codeLines.slice(number - 1, number + 7).some(isGate);
  if (/\bcatchError\b[^\n]*buildResult\s*:\s*["'](?:SUCCESS|UNSTABLE)|\bwarnError\s*\(/.test(code) && inside)
    return 'lets a gate fail';
  if (/returnStatus\s*:\s*true/.test(code) && isGate(code) && !/=\s*sh\b|\bif\b|return\s+sh/.test(code))
    return 'drops the status of a gate';
  if (
    /expression\s*\{\s*(?:return\s+)?false\s*;?\s*\}/.test(code) &&
    file.after.codeLines.slice(number - 1, number + 12).some(isGate)
  )
    return 'keeps a gate from running';
  if (/\bpropagate\s*:\s*false/.test(code) && /test|check|verify/i.test(code)) return 'drops the result of a job';
  return undefined;
}
