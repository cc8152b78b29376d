/** A run as one file: the page with its data inside. It opens from disk without any network request. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { redact } from '../audit/index.ts';
import { type Failure, fail, ok, type Result } from '../util/result.ts';
import type { ReportBundle } from '../view/index.ts';

export function reportHtml(bundle: ReportBundle): Result<string> {
  const script = readPage('page.js');
  if (!script.ok) return script;
  const style = readPage('page.css');
  if (!style.ok) return style;
  const data = gzipSync(JSON.stringify(redacted(bundle)), { level: 9 }).toString('base64');
  return ok(document({ script: inElement(script.value), style: inElement(style.value), data, name: bundle.run.name }));
}

interface Parts {
  readonly script: string;
  readonly style: string;
  readonly data: string;
  readonly name: string;
}

/** The policy contains the hashes of these two elements, so that nothing else can run. */
function document({ script, style, data, name }: Parts): string {
  const policy = [
    "default-src 'none'",
    `script-src ${hashOf(script)}`,
    `style-src ${hashOf(style)}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${escaped(name)} · ralph</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<noscript>This report needs scripts to be shown; it loads none from elsewhere. As text: ralph report</noscript>
<div id="app"></div>
<script type="application/octet-stream" id="report">${data}</script>
<script>${script}</script>
</body>
</html>
`;
}

/** Escapes text that would end its element: HTML ends it at the first end tag. */
const inElement = (text: string): string => text.replace(/<(?=\/(?:script|style)|!--)/gi, '\\x3c');

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replace(/[&<>"]/g, character => ENTITIES[character] ?? '');

/** A file of the built page. It is beside the bundle, compressed as it is sent. */
type PageFile = 'index.html' | 'page.css' | 'page.js';

/** Beside the chunks of the running bundle, or in the build folder if this runs from its sources. */
const PLACES = ['../page/', './page/', '../../dist/page/'];

/** The file as text; on disk it is gzip. */
function readPage(name: PageFile): Result<string> {
  const path = PLACES.map(place => fileURLToPath(new URL(`${place}${name}.gz`, import.meta.url))).find(each =>
    existsSync(each),
  );
  return path === undefined ? fail(notBuilt) : ok(gunzipSync(readFileSync(path)).toString('utf8'));
}

const notBuilt: Failure = {
  reason: 'not-found',
  message: 'the page is not beside the program',
  hint: 'Install the program again; in a clone of it: npm run build',
};

/** Redacts every text in a value, except object keys, which are our own names. */
export function redacted<T>(value: T): T {
  return walk(value) as T;
}

function walk(value: unknown): unknown {
  if (typeof value === 'string') return redactLines(value);
  if (Array.isArray(value)) return value.map(walk);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, walk(each)]));
}

/** In a diff each line starts with a sign, which would hide some secrets. */
const SIGNED = /^([ +-])(.*)$/gm;

function redactLines(text: string): string {
  const whole = redact(text);
  return whole.startsWith('@@') ? whole.replace(SIGNED, (_, sign: string, line: string) => sign + redact(line)) : whole;
}
