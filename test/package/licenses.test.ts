/** What is in the bundle brings its licence, or is not bundled. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { project } from './scene.ts';

const { thirdPartyLicenses } = (await import(pathToFileURL(join(project, 'scripts/licenses.mjs')).href)) as {
  readonly thirdPartyLicenses: (modules: readonly string[]) => string;
};

test('each package once, by the modules that are in the bundle; one without a licence fails the build', () => {
  const root = mkdtempSync(join(tmpdir(), 'ralph-licenses-'));
  const add = (name: string, files: Readonly<Record<string, string>>) => {
    const folder = join(root, 'node_modules', name);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, version: '1.2.3', license: 'MIT' }));
    for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
    return join(folder, 'lib/index.js');
  };
  try {
    const scoped = add('@scope/one', { 'license.md': 'Free for all.' });
    const plain = add('two', { LICENCE: 'As is.' });
    const text = thirdPartyLicenses([join(root, 'src/own.ts'), scoped, scoped, plain]);
    expect(text.match(/1\.2\.3/g)).toHaveLength(2);
    expect(text).toMatch(/@scope\/one 1\.2\.3 \(MIT\)[\s\S]*Free for all\.[\s\S]*two 1\.2\.3 \(MIT\)[\s\S]*As is\./);
    expect(() => thirdPartyLicenses([add('three', {})])).toThrow(
      'three 1.2.3 is in the bundle and brings no licence text',
    );
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});
