/** A run as one file: the page with its data inside. It opens from a disk, and nothing is fetched or sent. */
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { ok, type Result } from '../util/result.ts';
import type { ReportBundle } from '../view/index.ts';
import { readPage } from './assets.ts';
import { redacted } from './redacted.ts';

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

/** Only these two elements may act, and they only as they are here: their hashes are in the policy. */
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

/** The text of an element ends at its end tag, whatever stands around it. */
const inElement = (text: string): string => text.replace(/<(?=\/(?:script|style)|!--)/gi, '\\x3c');

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replace(/[&<>"]/g, character => ENTITIES[character] ?? '');
