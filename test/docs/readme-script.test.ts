/** The five minutes of the README, followed to the letter: a new folder, an empty HOME, no identity, no agent installed. */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { cleanEnv, cliFile } from '../support/cli.ts';

const readme = readFileSync(fileURLToPath(new URL('../../README.md', import.meta.url)), 'utf8');
const section = readme.split(/^## /m).find(part => part.startsWith('Five minutes')) ?? '';
const blocks = [...section.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, text = '']) => text);

const top = mkdtempSync(join(tmpdir(), 'ralph-readme-'));
afterAll(() => rmSync(top, { recursive: true, force: true }));

const appended = (name: string, call: string, expected: string) => ({
  append: { path: 'greet.test.js', text: `\ntest('${name}', () => {\n  assert.equal(${call}, '${expected}');\n});\n` },
});
const french =
  "export const greet = (name = 'stranger', to = 'en') =>\n  to === 'fr' ? `Bonjour, ${name} !` : `Hello, ${name}!`;\n";

/** What Claude does in the README, with the false "done" that is shown there. */
const scenario = {
  items: {
    'US-001': {
      steps: [
        { write: { path: 'greet.js', text: "export const greet = (name = 'stranger') => `Hello, ${name}!`;\n" } },
        appended('greets a stranger', 'greet()', 'Hello, stranger!'),
      ],
    },
    'US-002': [
      { steps: [appended('greets in French', "greet('Ada', 'fr')", 'Bonjour, Ada !')] },
      { steps: [{ write: { path: 'greet.js', text: french } }] },
    ],
  },
};

/** Each block in a shell of its own, as a person pastes it: the folder is what the one before has left. */
function follow(block: string, cwd: string) {
  const script = `set -e\n${block}\npwd > ${join(top, 'where')}\n`;
  const ended = spawnSync('/bin/bash', ['-c', script], {
    cwd,
    env: cleanEnv(join(top, 'home'), { PATH: `${join(top, 'bin')}:${process.env.PATH ?? ''}` }),
    encoding: 'utf8',
  });
  expect(ended.status, `${block}\n${ended.stdout}${ended.stderr}`).toBe(0);
  return { said: ended.stdout, cwd: readFileSync(join(top, 'where'), 'utf8').trim() };
}

/** The scripted agent sits in Claude's place. */
function replaceAgent(folder: string): void {
  const config = join(folder, 'ralph.yaml');
  if (!existsSync(config)) return;
  const text = readFileSync(config, 'utf8');
  writeFileSync(config, text.replace(/^agent: claude$/m, 'agent: {use: script, scenario: ../scenario.json}'));
}

test('what the README says to type leads from an empty folder to merged work', () => {
  for (const name of ['home', 'bin', 'work']) mkdirSync(join(top, name));
  writeFileSync(join(top, 'bin/ralph'), `#!/bin/sh\nexec '${process.execPath}' '${cliFile}' "$@"\n`);
  chmodSync(join(top, 'bin/ralph'), 0o755);
  writeFileSync(join(top, 'work/scenario.json'), JSON.stringify(scenario));
  let cwd = join(top, 'work');
  let said = '';
  for (const block of blocks) {
    const done = follow(block, cwd);
    ({ cwd } = done);
    said += done.said;
    replaceAgent(cwd);
  }
  expect(blocks.length).toBeGreaterThanOrEqual(5);
  // The lines that are shown as an example, without their times and figures.
  const shown = /^```text\n([\s\S]*?)^```/m.exec(section)?.[1] ?? '';
  const bare = (line: string) => line.replace(/^\d\d:\d\d|\s+/g, ' ').trim();
  const spoken = new Set(said.split('\n').map(bare));
  const same = shown.split('\n').filter(line => line !== '' && !/[\d.]m?s\b|commit|run {4}/.test(line));
  expect(same.length).toBeGreaterThan(5);
  expect(same.map(bare).filter(line => !spoken.has(line))).toEqual([]);
  for (const words of ['Ready: ralph run', 'Complete: every item is done', 'US-002  done'])
    expect(said).toContain(words);
  const log = spawnSync('git', ['log', '--format=%s', 'main'], { cwd, encoding: 'utf8' }).stdout;
  expect(log.split('\n')).toEqual(expect.arrayContaining([expect.stringContaining('US-002'), 'Set up Ralph']));
  expect(readFileSync(join(cwd, 'greet.js'), 'utf8')).toBe(french);
});
