/** What is read without git is what git itself says. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { changedKeys, globalConfigText, parseConfigList } from '../../src/workspace/global-config.ts';
import { RefFiles } from '../../src/workspace/ref-files.ts';
import { makeScene, type Scene } from './scene.ts';

const LIST = ['config', '--list', '-z', '--show-scope', '--includes'];

describe("the person's own settings", () => {
  test('come out of the copy as they went in, whatever they hold', () => {
    const scene = makeScene();
    const home = scene.env.HOME ?? '';
    const set = (key: string, value: string) => scene.git(['config', '--global', '--add', key, value]);
    set('user.name', '  José "the \\ one"; #1 ');
    set('alias.x', '!f() {\n\techo "a\tb";\n}; f');
    set('url.https://example.org/A.B"c\\d/.insteadOf', 'x:');
    set('core.editor', '');
    set('remote.a.fetch', 'one');
    set('remote.a.fetch', 'two');
    writeFileSync(join(home, 'more'), '[filter "f"]\n\tclean = tr a b\n\trequired\n');
    set('include.path', 'more');
    const before = entriesOf(scene).filter(({ key }) => key !== 'include.path');
    const copy = join(home, 'copy');
    writeFileSync(copy, globalConfigText(entriesOf(scene)));
    rmSync(join(home, '.gitconfig'));
    expect(before.some(({ scope, key }) => scope === 'global' && key === 'filter.f.clean')).toBe(true);
    expect(entriesOf(scene, { GIT_CONFIG_GLOBAL: copy })).toEqual(before);
  });

  test('that differ are named', () => {
    const was = '[core]\n\tbare = false\n[remote "a"]\n\turl = x\n';
    const found = '[core]\n\tbare = false\n\tfsmonitor = /x\n[remote "a"]\n\turl = y\n[filter "f"] clean = z\n';
    expect(changedKeys(was, found)).toEqual(['remote.a.url', 'core.fsmonitor', 'filter.f.clean']);
  });
});

function entriesOf(scene: Scene, env: NodeJS.ProcessEnv = {}) {
  const out = scene.git(LIST, { env });
  return parseConfigList(Buffer.from(`${out}\0`)).filter(({ key }) => key !== '');
}

test.for(['sha1', 'sha256'] as const)(
  'refs are those of git, packed or loose, before and after each change (%s)',
  format => {
    const scene = makeScene(format);
    scene.git(['commit', '-q', '--allow-empty', '-m', 'a']);
    const files = new RefFiles(join(scene.root, '.git'));
    const byGit = () =>
      new Map(
        scene
          .git(['for-each-ref', '--format=%(refname) %(objectname) %(symref)'])
          .split('\n')
          .map(line => {
            const [name = '', id = '', link = ''] = line.split(' ');
            return [name, link ? `ref: ${link}` : id] as const;
          }),
      );
    const steps: readonly (readonly string[])[] = [
      ['branch', 'feature/a'],
      ['tag', '-a', '-m', 't', 'v1'],
      ['pack-refs', '--all'],
      ['commit', '-q', '--allow-empty', '-m', 'b'],
      ['branch', '-f', 'feature/a', 'work'],
      ['symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/heads/work'],
      ['branch', '-D', 'feature/a'],
      ['branch', 'feature'],
      ['tag', '-d', 'v1'],
      ['gc', '-q'],
    ];
    for (const step of steps) {
      scene.git(step);
      expect(files.read(), step.join(' ')).toEqual(byGit());
    }
  },
);
