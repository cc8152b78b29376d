/** The licences of the bundled packages: their texts have to be distributed with the code. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const LICENSE = /^(?:licen[cs]e|copying|notice)(?:[.-]|$)/i;
const RULE = '-'.repeat(80);

/** The text of THIRD-PARTY-LICENSES; throws if a package has no licence file. */
export function thirdPartyLicenses(modules) {
  const folders = new Set([...modules].map(packageFolder).filter(Boolean));
  const entries = [...folders].map(entryOf).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const head = 'ralph-runner is one bundle. It holds code of the packages below, each under its own licence.\n';
  return [head, ...entries.map(({ title, text }) => `${RULE}\n${title}\n${RULE}\n\n${text.trim()}\n`)].join('\n');
}

/** The folder of the package that a module belongs to; undefined for our own. */
function packageFolder(id) {
  // The bundler's own helpers.
  if (id.startsWith('\0rolldown/') || id === 'rolldown:runtime') return join('node_modules', 'rolldown');
  return /^\0?(.*\/node_modules\/(?:@[^/]+\/)?[^/?]+)/.exec(id.replaceAll('\\', '/'))?.[1];
}

function entryOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const files = readdirSync(folder).filter(file => LICENSE.test(file));
  if (files.length === 0)
    throw new Error(`${name} ${version} is in the bundle and brings no licence text (${folder}): leave it out`);
  const texts = files.toSorted().map(file => readFileSync(join(folder, file), 'utf8').trim());
  return { name, title: `${name} ${version} (${license})`, text: texts.join('\n\n') };
}
