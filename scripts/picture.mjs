/**
 * Makes docs/demo.svg from a real run: starts `ralph demo` in its own terminal (tmux) and reads the screen with its colours.
 *
 *   node scripts/build.mjs && node scripts/picture.mjs [program] [picture]
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const [program = 'dist/cli.cjs', picture = 'docs/demo.svg'] = process.argv.slice(2);
const COLUMNS = 100;
const PATIENCE_MS = 120_000;

/** From the first line that matches `from` to the line before the next that matches `until`; dots between two parts. */
const PARTS = [
  { from: /\[2\/5\] US-002/, until: /\[3\/5\] US-003/ },
  { from: /\[3\/5\] US-003/, until: /\(attempt 2\)/ },
  { from: /\[4\/5\] US-004/, until: /\[4\/5\] US-004.*try 2/ },
  { from: /^Complete: /, until: /^Next$/ },
];

const ansi = await runDemo();
writeFileSync(picture, svgOf(chosen(readScreen(ansi))));

async function runDemo() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'ralph-picture-')));
  const socket = join(folder, 'tmux');
  const tmux = (...args) => execFileSync('tmux', ['-S', socket, '-f', '/dev/null', ...args], { encoding: 'utf8' });
  const command = `${process.execPath} ${program} demo --keep ${join(folder, 'tea-shop')}; sleep 600`;
  try {
    tmux('-u', 'new-session', '-d', '-x', String(COLUMNS), '-y', '200', command);
    for (let waited = 0; waited < PATIENCE_MS; waited += 500) {
      await sleep(500);
      const screen = tmux('capture-pane', '-p', '-e', '-S', '-');
      if (screen.includes('Clean up')) return screen.replaceAll(folder, '~');
    }
    throw new Error('the demo did not come to its end');
  } finally {
    tmux('kill-server');
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The lines of a screen as runs of text with their style, which continues from one line to the next. */
function readScreen(screen) {
  let style = {};
  return screen.split('\n').map(line => {
    const runs = [];
    for (const part of line.split(/(\x1b\[[\d;]*m)/)) {
      const codes = /^\x1b\[([\d;]*)m$/.exec(part);
      if (codes) for (const code of (codes[1] || '0').split(';').map(Number)) style = styled(style, code);
      else if (part) runs.push({ text: part, ...style });
    }
    return {
      runs,
      text: runs
        .map(run => run.text)
        .join('')
        .trimEnd(),
    };
  });
}

function styled(style, code) {
  if (code === 0) return {};
  if (code === 1) return { ...style, bold: true };
  if (code === 2) return { ...style, dim: true };
  if (code === 22) return { ...style, bold: false, dim: false };
  if (code === 39) return { ...style, color: undefined };
  if ((code >= 30 && code <= 37) || (code >= 90 && code <= 97)) return { ...style, color: code % 10 };
  return style;
}

function chosen(lines) {
  const dots = { runs: [{ text: '       ...', dim: true }], text: '...' };
  const parts = [];
  let end = -1;
  for (const { from, until } of PARTS) {
    const start = lines.findIndex((line, index) => index >= end && from.test(line.text));
    if (start < 0) throw new Error(`the demo did not show ${from}`);
    if (end >= 0 && start > end) parts.push(dots);
    end = lines.findIndex((line, index) => index > start && until.test(line.text));
    const taken = lines.slice(start, end < 0 ? undefined : end);
    while (taken.at(-1)?.text === '') taken.pop();
    parts.push(...taken);
  }
  return [
    {
      runs: [
        { text: '$ ', dim: true },
        { text: 'ralph demo', bold: true },
      ],
      text: '$ ralph demo',
    },
    dots,
    ...parts,
  ];
}

function svgOf(lines) {
  const [size, width, height] = [13, 7.83, 19];
  const [left, top] = [20, 58];
  const palette = ['#6e7681', '#ff7b72', '#7ee787', '#e3b341', '#79c0ff', '#d2a8ff', '#76e3ea', '#e6edf3'];
  const escaped = text => text.replace(/[&<>]/g, char => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[char]);
  const [wide, high] = [Math.ceil(left * 2 + COLUMNS * width), top + lines.length * height + 10];
  const rows = lines.map(({ runs }, row) => {
    let column = 0;
    const spans = runs.map(({ text, bold, dim, color }) => {
      const x = (left + column * width).toFixed(2);
      column += [...text].length;
      if (text.trim() === '') return '';
      const fill = color === undefined ? (dim ? '#8b949e' : '#e6edf3') : palette[color];
      // Every run has a fixed position and length, so that columns align in any font.
      const length = ([...text].length * width).toFixed(2);
      return `<tspan x="${x}" textLength="${length}" fill="${fill}"${bold ? ' font-weight="bold"' : ''}>${escaped(text)}</tspan>`;
    });
    return `<text y="${top + row * height}">${spans.join('')}</text>`;
  });
  const dots = ['#ff5f57', '#febc2e', '#28c840'].map(
    (fill, n) => `<circle cx="${22 + n * 20}" cy="22" r="6" fill="${fill}"/>`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${wide} ${high}" width="${wide}" height="${high}" role="img" aria-label="ralph demo in a terminal">`,
    `<rect width="${wide}" height="${high}" rx="10" fill="#0d1117" stroke="#30363d"/>`,
    ...dots,
    `<text x="${wide / 2}" y="27" fill="#8b949e" font-family="sans-serif" font-size="13" text-anchor="middle">ralph demo</text>`,
    `<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="${size}" xml:space="preserve">`,
    ...rows,
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}
