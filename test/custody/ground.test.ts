/** What gates stand on is held before an agent and put back before its gates, like everything else in custody. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { heldIgnored, ignoredAfterCrash } from '../../src/custody/gate-ground.ts';
import { hold } from '../../src/custody/hold.ts';
import { IgnoredFiles } from '../../src/custody/ignored-files.ts';
import { InstalledPackages } from '../../src/custody/packages.ts';
import type { Gate } from '../../src/protocol.ts';
import { ok } from '../../src/util/result.ts';

const folders: string[] = [];
const folder = (): string => {
  const made = mkdtempSync(join(tmpdir(), 'ralph-ground-'));
  folders.push(made);
  return made;
};
afterEach(() => folders.splice(0).forEach(path => rmSync(path, { recursive: true })));

function write(root: string, path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

/** Two files that git would ignore, and the moment at which an agent starts. */
function ground(root: string) {
  write(root, 'local.mk', 'test: real\n');
  write(root, 'stamp', '');
  const names = ['local.mk', 'made.mk', 'node_modules/'];
  const list = async () => ok(names.filter(name => existsSync(join(root, name))));
  const since = statSync(join(root, 'stamp'), { bigint: true }).ctimeNs + 1n;
  return {
    ignored: new IgnoredFiles({ root, list }),
    agent: { since, aside: join(root, '.aside') },
  };
}

test('an ignored file is as it was, a new one is out of the way, and both are said', async () => {
  const root = folder();
  const { ignored, agent } = ground(root);
  const held = await hold({ ignored: heldIgnored(ignored, agent) });
  write(root, 'local.mk', 'test: true # changed\n');
  write(root, 'made.mk', 'test: true\n');
  const found = (await held.putBack()).ignored;
  expect(found.ok && found.value).toEqual({ back: ['local.mk'], out: ['made.mk'], stuck: [], tools: [] });
  expect(readFileSync(join(root, 'local.mk'), 'utf8')).toBe('test: real\n');
  expect(existsSync(join(root, 'made.mk'))).toBe(false);
  expect(readFileSync(join(root, '.aside/made.mk'), 'utf8')).toBe('test: true\n');
});

test('a file that is written again within the tick in which it was noted is compared by what it holds', async () => {
  const root = folder();
  const { ignored } = ground(root);
  // By their times alone, both files are older than the agent.
  const agent = { since: BigInt(Date.now() + 60_000) * 1_000_000n, aside: join(root, '.aside') };
  let noted = await hold({ ignored: heldIgnored(ignored, agent) });
  for (let look = 0; look < 100 && Date.now() - statSync(join(root, 'local.mk')).ctimeMs >= 10; look++) {
    write(root, 'local.mk', 'test: real\n');
    noted = await hold({ ignored: heldIgnored(ignored, agent) });
  }
  write(root, 'local.mk', 'test: fake\n');
  const found = (await noted.putBack()).ignored;
  expect(found.ok && found.value.back).toEqual(['local.mk']);
  expect(readFileSync(join(root, 'local.mk'), 'utf8')).toBe('test: real\n');
});

test('after a crash nothing is known, so what the agent wrote is only taken out of the way', async () => {
  const root = folder();
  const { ignored, agent } = ground(root);
  write(root, 'made.mk', 'test: true\n');
  const held = await hold({ ignored: ignoredAfterCrash(ignored, agent) });
  const found = (await held.putBack()).ignored;
  expect(found.ok && found.value.out).toEqual(['made.mk']);
  expect(existsSync(join(root, 'local.mk'))).toBe(true);
});

test('packages are installed again from the lockfile that is there, and only then', async () => {
  const root = folder();
  write(root, 'package-lock.json', '{}');
  write(root, 'node_modules/a/index.js', 'changed');
  const asked: string[][] = [];
  const by = (green: boolean) => ({
    setup: [],
    install: async (commands: readonly Gate[]) => {
      asked.push(commands.map(({ run }) => run));
      return green;
    },
  });
  const place = { root: join(root, '.ralph'), runs: join(root, '.ralph/runs') };
  mkdirSync(place.root);
  const changed = {
    changed: ['node_modules/a/index.js'],
    lockfiles: ['package-lock.json'],
    aside: join(root, '.aside'),
    refused: false,
  };
  const packages = new InstalledPackages({ root, place });
  expect(await packages.ready(by(true))).toBeUndefined();
  expect((await packages.installAgain(changed, by(true))).type).toBe('installed');
  expect(existsSync(join(root, 'node_modules'))).toBe(false);
  expect(readFileSync(join(root, '.aside/node_modules/a/index.js'), 'utf8')).toBe('changed');
  expect(await packages.ready(by(true))).toBeUndefined();
  // The lockfile of that attempt is gone; another process, too, installs what is there now.
  writeFileSync(join(root, 'package-lock.json'), '{"other": true}');
  expect((await new InstalledPackages({ root, place }).ready(by(false)))?.type).toBe('failed');
  expect(asked).toHaveLength(2);
  const nothing = new InstalledPackages({ root: folder() });
  expect((await nothing.installAgain(changed, by(true))).type).toBe('no-command');
});
