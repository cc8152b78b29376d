/** How many columns a text takes. Where terminals disagree this counts too many, so that nothing ever wraps. */

// Our own colours only: everything from outside has been through `say`.
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
  // The variation selector turns the sign before it into an emoji of two columns.
  if (char === '\ufe0f') return 1;
  if (NO_WIDTH.test(char)) return 0;
  return WIDE.test(char) ? 2 : 1;
}

/** The text in at most `columns` columns, with an ellipsis where something was left out. */
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

/** Word-wrapped to `columns`; a single word that is longer stays whole and is left to the terminal. */
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

/** The same, and a word that is longer is broken: for code and output, where nothing is a sentence. */
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

/** The text in at most `columns` columns, cut between two words where that loses little. */
export function fitWords(text: string, columns: number): string {
  const cut = fit(text, columns);
  const space = cut.lastIndexOf(' ');
  if (cut === text || space < 0 || displayWidth(cut.slice(0, space)) <= columns / 2) return cut;
  return `${cut.slice(0, space)} …${cut.endsWith(RESET) ? RESET : ''}`;
}

/** A whole text for a terminal: what is too long continues below itself, a little further in than it began. */
export function wrapText(text: string, columns: number): string {
  return text
    .split('\n')
    .flatMap(line => wrapLine(line, columns))
    .join('\n');
}

function wrapLine(line: string, columns: number): readonly string[] {
  // A command with a comment can be pasted, which it could not be in two lines: it only gives up its alignment.
  const tight = displayWidth(line) > columns ? line.replace(/ {2,}(?=\S*# )/, '  ') : line;
  // A row of a label and words continues below its words.
  const label = LABELLED.exec(tight)?.[0] ?? '';
  const begin = label || tight.slice(0, tight.length - tight.trimStart().length);
  const hang = label ? displayWidth(label) : begin === '' ? 0 : begin.length + HANG;
  const room = columns - hang;
  if (displayWidth(tight) <= columns || room < HANG || tight !== line) return [tight];
  const [first = '', ...rest] = wrap(tight.slice(begin.length), room);
  return [begin + first, ...rest.map(part => ' '.repeat(hang) + part)];
}

/** `  branch    ralph/shop`, painted or not. */
const LABELLED = new RegExp(`^ *(?:${STYLE})?[a-z][a-z-]* {2,}(?:${STYLE})*(?=\\S)`);
const HANG = 4;
const RESET = '\u001b[0m';
