/**
 * Shell commands whose failure is hidden by the text after them.
 *
 *     - npm test
 *     + npm test || true
 */
import type { LookFile } from '../look.ts';

/** The contents of a handler; brackets only in `${code}` and `$(date)`. */
const INSIDE = String.raw`(?:[^(){}\n]|\$\{[^{}\n]*\}|\$\([^()\n]*\))*?`;
/** A status other than 0. After another command, `$?` is that command's status. */
const FAILURE = String.raw`(?:(?:exit|return)\s+(?:[1-9]\d*|["']?\$(?!\?)[\w{}()]+["']?)|false|node\s+-e\s+\\?["']process\.exit\([1-9]\)\\?["'])`;
const KEEPS = new RegExp(
  String.raw`\|\|\s*(?:\(${INSIDE}\b${FAILURE}\s*;?\s*\)|\{\s${INSIDE}\b${FAILURE}\s*;?\s*\}|${FAILURE}|(?:exit|return)(?:\s+\$\?)?(?=\s*(?:$|["';)&\\}])))(\s*;)?`,
  'g',
);

/** Removes handlers that print a message and still fail: `|| (echo "no"; exit 1)`, `|| false`. */
export const withoutFailing = (command: string): string =>
  command.includes('||')
    ? command.replace(KEEPS, (handler: string, next?: string) =>
        // Ending the shell keeps the rest from running, as `&&` does; a subshell ends only itself.
        next !== undefined && !/^\|\|\s*(?:\(|false|node)/.test(handler) ? ' &&' : (next ?? ''),
      )
    : command;

const HIDES =
  /\|\|\s*\(?\s*(?:true|:|exit\s+0|return\s+0|echo\b|printf\b|\/bin\/true|cd\s+\.|\(?exit 0\)?|node -e|\{\s*(?:echo|true|:))|;\s*(?:true|:|exit\s+0|\/bin\/true)\s*(?:["'`,)}]|$)|\|\s*(?:true|cat\s*>\s*\/dev\/null)\s*(?:["'`,]|$)|&\s*(?:true|exit 0)\s*(?:["'`,]|$)|\s&\s*(?:["'`],?)?\s*$/g;
/** The end of a handler that prints a message and then fails: `|| echo "no" && exit 1`. */
const FAILS_AFTER = new RegExp(String.raw`^[^|]*(?:&&|;)\s*${FAILURE}`);

/** Each command whose failure a line hides, without the commands before it that still fail on their own. */
export function swallowedCommands(line: string): readonly string[] {
  const text = withoutFailing(line.replace(/&&\s*$/, ''));
  return [...text.matchAll(HIDES)].flatMap(({ index, 0: sign }) =>
    sign.startsWith('||') && FAILS_AFTER.test(text.slice(index + 2)) ? [] : [lastList(text.slice(0, index))],
  );
}

/** `"test": "` and `run: '`: the whole command is quoted. */
const KEY = /^\s*(?:-\s+)?(?:["']?[\w.:-]+["']?\s*[:=]\s*)?["'](?=\S)/;
const QUOTED = /\\"[^"\\]*\\"|'[^'\n]*'|"[^"\n]*"/g;

/** The list that the next `||` applies to: `a && (b; c)` in `x; a && (b; c)`. An open bracket starts a new list. */
export function lastList(text: string): string {
  const command = text.replace(KEY, key => ' '.repeat(key.length));
  // Quoted text keeps its length but loses its operators.
  const plain = command.replace(QUOTED, quoted => 'q'.repeat(quoted.length));
  const starts = [0];
  for (let at = 0; at < plain.length; at++) {
    const sign = plain[at] ?? '';
    if (sign === '(' || (sign === '{' && plain[at - 1] !== '$' && /\s/.test(plain[at + 1] ?? ''))) starts.push(at + 1);
    else if ((sign === ')' || (sign === '}' && /[;\s]/.test(plain[at - 1] ?? ''))) && starts.length > 1) starts.pop();
    else if (sign === ';' || (sign === '&' && plain[at + 1] !== '&' && !/[&>|]/.test(plain[at - 1] ?? '')))
      starts[starts.length - 1] = at + 1;
  }
  return command.slice(starts.at(-1));
}

/** Whether the status of a command is saved and passed on. */
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
