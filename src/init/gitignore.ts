/** Adds lines to a .gitignore; what is there stays as it is, and a line that is there is not added again. */
export function withIgnored(text: string, lines: readonly string[]): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const known = new Set(text.split(/\r?\n/).map(bare));
  const missing = lines.filter(line => !known.has(bare(line)));
  if (missing.length === 0) return text;
  const gap = text === '' || text.endsWith('\n') ? '' : eol;
  return `${text}${gap}${missing.map(line => `${line}${eol}`).join('')}`;
}

/** `/.ralph`, `.ralph/` and `.ralph` ignore the same folder at the top. */
const bare = (line: string): string => line.trim().replace(/^\/|\/$/g, '');
