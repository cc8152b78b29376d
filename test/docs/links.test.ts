/** What the documents promise: links lead somewhere, commands and settings are all there, and nothing private is said. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { commands } from '../../src/cli/commands.ts';
import { configSchema, knownKeys } from '../../src/config/schema.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** Every Markdown file of the project that is or will be committed. */
const pages = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z', '*.md'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\0')
  .filter(path => path !== '' && existsSync(join(root, path)))
  // Texts that are data of the program or of tests.
  .filter(path => !/^(?:src\/.*\/templates\/|src\/planning\/planning|test\/)/.test(path));

const ofRooms = readdirSync(join(root, 'src'), { withFileTypes: true })
  .filter(entry => entry.isDirectory())
  .map(({ name }) => `src/${name}/README.md`);

const withoutCode = (text: string): string => text.replace(/^```[\s\S]*?^```/gm, '').replace(/`[^`\n]*`/g, '');

/** The anchors GitHub makes of headings. */
function anchorsOf(text: string): ReadonlySet<string> {
  const seen = new Map<string, number>();
  const prose = text.replace(/^```[\s\S]*?^```/gm, '');
  const anchors = [...prose.matchAll(/^#{1,6} +(.+)$/gm)].map(([, heading = '']) => {
    const slug = heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .trim()
      .replaceAll(' ', '-');
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  });
  return new Set(anchors);
}

const linksIn = (text: string): readonly string[] =>
  [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);

function problemWith(page: string, link: string): string | undefined {
  if (/^https?:/.test(link)) return undefined;
  const [path = '', anchor] = link.split('#');
  const file = path === '' ? join(root, page) : resolve(root, dirname(page), path);
  if (!existsSync(file)) return `${page}: ${link} leads nowhere`;
  if (anchor === undefined) return undefined;
  if (!statSync(file).isFile()) return `${page}: ${link} is a folder and has no headings`;
  return anchorsOf(readFileSync(file, 'utf8')).has(anchor) ? undefined : `${page}: ${link} names no heading`;
}

/** `ralph <word>` as it stands in code, in a fence or between backticks. */
function commandsIn(text: string): ReadonlySet<string> {
  const code = [
    ...text.matchAll(/^```[\s\S]*?^```/gm),
    ...text.replace(/^```[\s\S]*?^```/gm, '').matchAll(/`[^`\n]+`/g),
  ];
  const called = code.flatMap(([block]) => [...block.matchAll(/(?:^|[`$|;]|&&) *ralph ([a-z][\w-]*)/gm)]);
  return new Set(called.map(([, name = '']) => name));
}

describe('documents', () => {
  it('hold no markers of an unfinished merge', () => {
    const marked = pages.filter(page => /^(?:<{7,}|>{7,}|\|{7,}) /m.test(withoutCode(read(page))));
    expect(marked).toEqual([]);
  });

  it('are found', () => {
    expect(pages).toEqual(
      expect.arrayContaining(['README.md', 'ARCHITECTURE.md', 'docs/cli.md', 'docs/adr/README.md', ...ofRooms]),
    );
  });

  it('of a room name only files that exist', () => {
    const unknown = ofRooms.flatMap(page => {
      const folder = join(root, dirname(page));
      const inRoom = new Set(readdirSync(folder, { recursive: true }).map(name => basename(String(name))));
      const isThere = (file: string) =>
        inRoom.has(file) || [folder, join(root, 'src'), root].some(from => existsSync(join(from, file)));
      const named = [...read(page).matchAll(/`([\w./-]+\.ts)`/g)].map(([, file = '']) => file);
      return named.filter(file => !isThere(file)).map(file => `${page}: ${file}`);
    });
    expect(unknown).toEqual([]);
  });

  it('link only to files and headings that exist', () => {
    const problems = pages.flatMap(page => linksIn(read(page)).flatMap(link => problemWith(page, link) ?? []));
    expect(problems).toEqual([]);
  });

  it('name only commands that exist', () => {
    const known = new Set(commands.flatMap(command => [command.name, ...(command.aliases ?? [])]));
    const unknown = pages.flatMap(page =>
      [...commandsIn(read(page))].filter(name => !known.has(name)).map(name => `${page}: ${name}`),
    );
    expect(unknown).toEqual([]);
  });

  it('have a picture that is SVG', () => {
    expect(read('docs/demo.svg')).toMatch(/^<svg /);
  });

  it('say nothing about the machine they were written on', () => {
    const forbidden =
      /(?:^|[\s"'`(=])\/(?:work|root|home)\/|\/tmp\/|registry\.npmjs|registry\.yarnpkg|npm\.pkg\.github/;
    expect(pages.filter(page => forbidden.test(read(page)))).toEqual([]);
    expect(read('docs/demo.svg')).not.toMatch(/\/(?:work|root|home)\//);
  });
});

describe('docs/cli.md', () => {
  const text = read('docs/cli.md');
  const section = (name: string): string =>
    text.split(/^### /m).find(part => new RegExp(`^\`ralph ${name}[ \`]`).test(part)) ?? '';

  const described = [...text.matchAll(/^### `ralph ([\w-]+)/gm)].map(([, name = '']) => name);

  it('describes every command, in the order of the help', () => {
    expect(described).toEqual(commands.map(command => command.name));
  });

  it.each(described)('describes every flag of ralph %s', name => {
    const flags = Object.keys(commands.find(command => command.name === name)?.flags ?? {});
    const found = [...section(name).matchAll(/^\| `(?:-\w, )?--([\w-]+)/gm)].map(([, flag = '']) => flag);
    expect(found.toSorted()).toEqual(flags.toSorted());
  });
});

describe('docs/configuration.md', () => {
  const named = new Set([...read('docs/configuration.md').matchAll(/`([$\w.-]+)`/g)].map(([, name = '']) => name));
  const groups = ['limits', 'guards', 'agent', 'gates', 'review'];

  it('names every key there is', () => {
    const keys = [
      ...Object.keys(configSchema.shape),
      ...groups.flatMap(group =>
        knownKeys([group]).map(key => (group === 'limits' || !named.has(`${group}.${key}`) ? key : `${group}.${key}`)),
      ),
    ];
    expect(keys.filter(key => !named.has(key))).toEqual([]);
  });
});

describe('AGENTS.md', () => {
  it('is an index of at most sixty lines', () => {
    expect(read('AGENTS.md').trimEnd().split('\n').length).toBeLessThanOrEqual(60);
  });

  it('is what CLAUDE.md points to', () => {
    expect(read('CLAUDE.md')).toBe('@AGENTS.md\n');
  });
});

describe('ARCHITECTURE.md', () => {
  it('shows every part that the arrows know', () => {
    const arrows = read('scripts/arrows.mjs');
    const parts = [...(/const allowed = \{([\s\S]*?)\n\};/.exec(arrows)?.[1] ?? '').matchAll(/^ {2}(\w+):/gm)].map(
      ([, part = '']) => part,
    );
    const rooms = [...(/const rooms = \[([^\]]*)\]/.exec(arrows)?.[1] ?? '').matchAll(/'(\w+)'/g)].map(
      ([, room = '']) => room,
    );
    expect(rooms.length).toBeGreaterThan(5);
    const text = read('ARCHITECTURE.md');
    expect([...parts, ...rooms].filter(part => !new RegExp(`\`${part}(?:\\.ts|/)?\``).test(text))).toEqual([]);
  });
});
