/** What is published, and that it works where it is installed. */
import { mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freshClone, type Packed, pack, project, type Scene } from './scene.ts';

/** Against growth that nobody noticed; what there is takes 2.51 MB, and 2 MB was the aim. None of it is loaded before it is used. */
const MOST_BYTES = 2_600_000;

describe('the package', () => {
  let scene: Scene;
  let packed: Packed & { readonly tarball: string };
  /** A project that has the package as a dependency. */
  let consumer: string;

  beforeAll(() => {
    scene = freshClone({ tools: true });
    packed = pack(scene);
    consumer = join(scene.folder, 'consumer');
    mkdirSync(consumer);
    writeFileSync(join(consumer, 'package.json'), '{"name": "consumer", "private": true, "type": "module"}\n');
    scene.npm(['install', '--offline', packed.tarball], consumer);
  });
  afterAll(() => scene.remove());

  const installed = (path = '') => join(consumer, 'node_modules/ralph-runner', path);
  const paths = () => packed.files.map(file => file.path);

  test('holds the program, the library, schemas, docs, the plugin and licences, and nothing else', () => {
    expect(paths()).toEqual(
      expect.arrayContaining([
        'dist/cli.cjs',
        'dist/index.js',
        'dist/index.d.ts',
        'schemas/ralph.schema.json',
        'docs/library.md',
        'plugin/.claude-plugin/plugin.json',
        'plugin/hooks/hooks.json',
        'LICENSE',
        'README.md',
        'THIRD-PARTY-LICENSES',
      ]),
    );
    const strange =
      /^(?!dist\/[\w./-]+\.c?js$|dist\/index\.d\.ts$|dist\/cli\/qwen-defaults\.json$|schemas\/\w+(?:\.schema)?\.json$|dist\/page\/[\w./-]+\.gz$|docs\/[\w./-]+\.(?:md|svg)$|plugin\/[\w./-]+\.(?:md|json)$|[A-Z-]+(?:\.md)?$|package\.json$)/;
    expect(paths().filter(path => strange.test(path))).toEqual([]);
    expect(packed.unpackedSize).toBeLessThan(MOST_BYTES);
  });

  test('has a program that may be executed', () => {
    expect(packed.files.find(file => file.path === 'dist/cli.cjs')?.mode).toBe(0o755);
  });

  test('names the licences of everything that is in the bundle, and depends on nothing', () => {
    const licences = readFileSync(installed('THIRD-PARTY-LICENSES'), 'utf8');
    for (const name of ['picomatch', 'rolldown', 'yaml', 'zod'])
      expect(licences).toMatch(new RegExp(`^${name} \\d`, 'm'));
    expect(licences).toContain('Permission');
    const manifest = JSON.parse(readFileSync(installed('package.json'), 'utf8')) as Record<string, unknown>;
    expect(Object.keys(manifest)).not.toContain('dependencies');
    expect(Object.keys(manifest)).not.toContain('optionalDependencies');
  });

  test('is sound for publint', async () => {
    const { messages, pkg } = await publint({ pkgDir: installed(), pack: false, strict: true });
    expect(messages.map(message => formatMessage(message, pkg))).toEqual([]);
  });

  test('runs when it is installed globally', () => {
    scene.npm(['install', '--global', '--offline', packed.tarball], scene.folder);
    const ralph = join(scene.prefix, 'bin/ralph');
    const { version } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as { version: string };
    expect(scene.run(ralph, ['--version'], scene.folder).trim()).toBe(version);
    runsPlan(ralph);
  });

  /** The scripted agent, which is a file of its own in the package, does one item. */
  function runsPlan(ralph: string): void {
    const repo = join(scene.folder, 'repo');
    mkdirSync(repo);
    writeFileSync(join(repo, 'PROGRESS.md'), '- [ ] T1: Write it\n');
    writeFileSync(join(repo, '.gitignore'), '.ralph/\n');
    writeFileSync(
      join(repo, 'ralph.yaml'),
      'plan: PROGRESS.md\nagent: {scenario: scenario.yaml}\ngates: ["test -f README.md"]\n',
    );
    writeFileSync(join(repo, 'README.md'), 'Here.\n');
    writeFileSync(join(repo, 'scenario.yaml'), SCENARIO);
    const git = (...args: readonly string[]) =>
      scene.run('git', ['-c', 'user.name=Test', '-c', 'user.email=test@localhost', ...args], repo);
    git('init', '-q', '-b', 'main');
    git('add', '-A');
    git('commit', '-q', '-m', 'Begin');
    scene.run(ralph, ['run', '--quiet', '--no-sandbox'], repo);
    expect(git('log', '--format=%s', '-1', '--', 'made.txt')).toContain('T1');
  }

  test('runs with npx', () => {
    const said = scene.npm(
      ['exec', '--offline', '--yes', `--package=${packed.tarball}`, '--', 'ralph', '--version'],
      scene.folder,
    );
    expect(said).toMatch(/^\d+\.\d+\.\d+/);
  });

  test('still runs after npm link and another build', () => {
    scene.npm(['link', '--offline'], scene.clone);
    scene.run('node', ['scripts/build.mjs'], scene.clone);
    expect(statSync(join(scene.clone, 'dist/cli.cjs')).mode & 0o777).toBe(0o755);
    expect(scene.run(join(scene.prefix, 'bin/ralph'), ['--version'], scene.folder)).toMatch(/^\d+\.\d+\.\d+/);
  });

  test.each(['node16', 'bundler'])('has types for a strict project that resolves as %s does', resolution => {
    mkdirSync(join(consumer, 'node_modules/@types'), { recursive: true });
    for (const name of ['@types/node', 'undici-types']) {
      if (!hasEntry(join(consumer, 'node_modules', name)))
        symlinkSync(join(project, 'node_modules', name), join(consumer, 'node_modules', name));
    }
    const files = Object.entries({ 'index.ts': CONSUMER, ...examples('library.md'), ...examples('trackers.md') });
    for (const [name, text] of files) writeFileSync(join(consumer, name), text);
    const compilerOptions = {
      target: 'ES2023',
      lib: ['ES2023'],
      module: resolution === 'node16' ? 'node16' : 'esnext',
      moduleResolution: resolution,
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      skipLibCheck: false,
      noEmit: true,
      types: [],
    };
    const config = `tsconfig.${resolution}.json`;
    writeFileSync(join(consumer, config), JSON.stringify({ compilerOptions, files: files.map(([name]) => name) }));
    expect(tsc(['-p', config])).toBe('');
  });

  function tsc(args: readonly string[]): string {
    try {
      return scene.run(join(project, 'node_modules/.bin/tsc'), args, consumer);
    } catch (error) {
      return (error as { stdout: string }).stdout;
    }
  }

  test('declares as values exactly what the library has', async () => {
    const types = readFileSync(installed('dist/index.d.ts'), 'utf8');
    const declared = [...types.matchAll(/^export declare (?:const|function|class) (\w+)/gm)].map(([, name]) => name);
    const library = (await import(installed('dist/index.js'))) as Record<string, unknown>;
    expect(new Set(declared)).toEqual(new Set(Object.keys(library)));
  });
});

/** The programs that a page of the docs shows, each as a module of its own. */
function examples(page: string): Readonly<Record<string, string>> {
  const blocks = [...readFileSync(join(project, 'docs', page), 'utf8').matchAll(/```[jt]s\n([\s\S]*?)```/g)];
  expect(blocks).not.toEqual([]);
  return Object.fromEntries(blocks.map(([, text = ''], index) => [`${page}-${index}.ts`, text]));
}

const hasEntry = (path: string): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined;

const SCENARIO = 'items: {"*": [{steps: [{write: {path: made.txt, text: made}}]}]}\n';

const CONSUMER = `import { audit, doctor, lessons, report, run, type Agent, type Event, type PlanFormat, type RunResult } from 'ralph-runner';

export const say = (event: Event): string => event.type;
export const name = (agent: Agent, format: PlanFormat): string => agent.name + format.name;
export const go = async (agent: Agent, format: PlanFormat): Promise<RunResult> =>
  await run({ plan: 'prd.json', agent, formats: [format], overrides: { maxIterations: 1 } });
export const look = async (): Promise<boolean> => {
  const looked = await audit({ range: 'main..HEAD' });
  const learned = await lessons({ words: 'cache' });
  const told = await report();
  return (await doctor()).ready && looked.ok && learned.ok && told.ok && told.value.length + learned.value.length > 0;
};
`;
