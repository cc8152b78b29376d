/** How many columns a text takes. Where terminals differ, it counts too many, so that nothing ever wraps. */

// Only our own colours: all untrusted text has been through `say`.
const STYLE = '\\u001b\\[[0-9;]*m';
const SGR = new RegExp(STYLE, 'g');
const SGR_HERE = new RegExp(STYLE, 'y');

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;
const NARROW = /^[\x20-\x7e]*$/;
const NO_WIDTH = /^[\p{Mn}\p{Me}\p{Cf}]$/u;

export function displayWidth(text: string): number {
  const bare = text.replace(SGR, '');
  if (NARROW.test(bare)) return bare.length;
  let width = 0;
  for (const char of bare) width += charWidth(char);
  return width;
}

function charWidth(char: string): number {
  // The variation selector turns the character before it into an emoji of two columns.
  if (char === '\ufe0f') return 1;
  if (NO_WIDTH.test(char)) return 0;
  return WIDE.test(char) ? 2 : 1;
}

/** The text in at most `columns` columns, with an ellipsis if something was cut. */
export function fit(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text;
  if (columns < 1) return '';
  let out = '';
  let used = 0;
  let painted = false;
  for (let at = 0; at < text.length; ) {
    SGR_HERE.lastIndex = at;
    const style = SGR_HERE.exec(text)?.[0];
    if (style) {
      out += style;
      painted = true;
      at += style.length;
      continue;
    }
    const char = String.fromCodePoint(text.codePointAt(at) ?? 0);
    if (used + charWidth(char) > columns - 1) break;
    out += char;
    used += charWidth(char);
    at += char.length;
  }
  return `${out}…${painted ? '\x1b[0m' : ''}`;
}

/** Word-wraps to `columns`; a longer word stays whole and is left to the terminal. */
export function wrap(text: string, columns: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && displayWidth(longer) > columns) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return [...lines, line];
}

/** The same, but longer words are broken: for code and output, which have no sentences. */
export function hardWrap(text: string, columns: number): readonly string[] {
  return wrap(text, columns).flatMap(line => broken(line, columns));
}

function broken(line: string, columns: number): readonly string[] {
  if (displayWidth(line) <= columns) return [line];
  const parts: string[] = [];
  let part = '';
  let used = 0;
  for (let at = 0; at < line.length; ) {
    SGR_HERE.lastIndex = at;
    const style = SGR_HERE.exec(line)?.[0];
    const char = style ?? String.fromCodePoint(line.codePointAt(at) ?? 0);
    const width = style ? 0 : charWidth(char);
    if (used + width > columns) {
      parts.push(part);
      part = '';
      used = 0;
    }
    part += char;
    used += width;
    at += char.length;
  }
  return [...parts, part];
}

/** The text in at most `columns` columns, cut between two words if that loses little. */
export function fitWords(text: string, columns: number): string {
  const cut = fit(text, columns);
  const space = cut.lastIndexOf(' ');
  if (cut === text || space < 0 || displayWidth(cut.slice(0, space)) <= columns / 2) return cut;
  return `${cut.slice(0, space)} …${cut.endsWith(RESET) ? RESET : ''}`;
}

/** Wraps a whole text for a terminal; the continuation of a line is indented a little further. */
export function wrapText(text: string, columns: number): string {
  return text
    .split('\n')
    .flatMap(line => wrapLine(line, columns))
    .join('\n');
}

function wrapLine(line: string, columns: number): readonly string[] {
  // A command with a comment must stay on one line, so that it can be pasted: only its alignment is given up.
  if (COMMENTED.test(line)) return [displayWidth(line) > columns ? line.replace(COMMENTED, '  ') : line];
  if (COMMAND.test(line)) return [line];
  // A row with a label continues below its text.
  const label = LABELLED.exec(line)?.[0] ?? '';
  const begin = label || line.slice(0, line.length - line.trimStart().length);
  const hang = label ? displayWidth(label) : begin === '' ? 0 : begin.length + HANG;
  const room = columns - hang;
  if (displayWidth(line) <= columns || room < HANG) return [line];
  const [first = '', ...rest] = wrap(line.slice(begin.length), room);
  return [begin + first, ...rest.map(part => ' '.repeat(hang) + part)];
}

/** A label such as `  branch    ralph/shop`, coloured or not. */
const LABELLED = new RegExp(`^ *(?:${STYLE})?[a-z][a-z-]* {2,}(?:${STYLE})*(?=\\S)`);
/** A row that is a command alone: broken, its first line would be run without the rest. */
const COMMAND = new RegExp(`^ +(?:(?:${STYLE})?[a-z]+ {2,})?(?:${STYLE})*(?:ralph|git) (?!.* {2})`);
/** What is between a command and a comment about it. */
const COMMENTED = / {2,}(?=\S*# )/;
const HANG = 4;
const RESET = '\u001b[0m';
