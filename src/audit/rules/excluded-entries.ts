/** Exclusions that are more than a word: entries with a path, a text and linters, and elements of XML. */
import { listsOf } from '../config-values.ts';
import { isNoLoss, isNoLossOfCoverage, isOfTests } from '../harmless-exclusions.ts';
import type { Line } from '../line.ts';
import type { LookFile } from '../look.ts';
import { type Found, quote } from './rule.ts';

export const exclusions = (file: LookFile): readonly Found[] => {
  if (/golangci/.test(file.path)) return golangci(file);
  if (/phpunit\.xml|pom\.xml|psalm\.xml|phpcs\.xml|(?:checkstyle|spotbugs|pmd)[^/]*\.xml$/.test(file.path))
    return inXml(file);
  if (/gradle(?:\.kts)?$|build\.sbt$/.test(file.path)) return inGradle(file);
  if (/Cargo\.toml$/.test(file.path)) return behindFeature(file);
  if (/(?:csproj|props)$/.test(file.path)) return noWarn(file);
  if (/_helper\.rb$|\.simplecov$/.test(file.path)) return simplecov(file);
  return /pytest|pyproject\.toml$|setup\.cfg$|tox\.ini$|jest|vitest|mocharc|package\.json$/.test(file.path)
    ? collected(file)
    : [];
};

interface Entry {
  readonly text: string;
  readonly line: number;
}

const LISTS = /^(\s*)(?:exclude-rules|rules|exclude)\s*:\s*(\[.*\])?\s*$/;

/** The entries of the lists that golangci-lint leaves issues out by. */
function entriesOf(lines: readonly string[]): readonly Entry[] {
  const found: Entry[] = [];
  for (let at = 0; at < lines.length; at++) {
    const list = LISTS.exec(lines[at] ?? '');
    if (!list) continue;
    const key = (lines[at] ?? '').trim();
    if (/^rules/.test(key) && !lines.slice(Math.max(0, at - 12), at).some(line => /^\s*exclusions\s*:/.test(line)))
      continue;
    if (list[2] !== undefined) {
      for (const word of list[2].match(/[^[\],\s"']+/g) ?? [])
        found.push({ text: `${key.split(':')[0]} ${word}`, line: at + 1 });
      continue;
    }
    const indent = list[1]?.length ?? 0;
    let entry: string[] = [];
    let start = 0;
    const flush = () => {
      if (entry.length > 0) found.push({ text: entry.join('\n'), line: start });
    };
    for (let next = at + 1; next < lines.length; next++) {
      const line = lines[next] ?? '';
      if (line.trim() === '') continue;
      const depth = line.search(/\S/);
      const dash = /^\s*-\s/.test(line);
      if (depth < indent || (depth === indent && !dash)) break;
      if (dash && depth <= indent + 4 && !/^\s*-\s*\w+\s*$/.test(line)) {
        flush();
        [entry, start] = [[], next + 1];
      }
      entry.push(line.replace(/^\s*-\s/, ' ').trim());
    }
    flush();
  }
  return found;
}

function golangci(file: LookFile): readonly Found[] {
  const before = new Set(entriesOf(file.before.codeLines).map(({ text }) => text));
  return entriesOf(file.after.codeLines).flatMap(({ text, line }): readonly Found[] => {
    if (before.has(text)) return [];
    const value = (key: string) =>
      new RegExp(`^${key}\\s*:\\s*["']?(.*?)["']?\\s*$`, 'm').exec(text)?.[1]?.replaceAll('\\', '');
    const [path, words] = [value('path'), value('text') ?? value('source')];
    const isSpecific = words !== undefined && /\w{3}/.test(words.replace(/\.[*+]/g, ''));
    if (isSpecific || /^exclude /.test(text)) return [];
    if (path !== undefined && (isNoLoss(path) || isOfTests(path))) return [];
    // One that is there already and was only changed is compared by its path.
    if (path !== undefined && /^cmd\/?$|^main\.go$|^tools\//.test(path)) return [];
    const message = `${quote(text)} keeps linters from speaking about code of the project; say which message is meant, or mend it`;
    return [{ message, path: file.path, line }];
  });
}

const TOOL = /jacoco|surefire|failsafe|checkstyle|pmd|spotbugs|findbugs|pitest|cobertura|sonar|errorprone/i;

function inXml(file: LookFile): readonly Found[] {
  const isPom = /pom\.xml$/.test(file.path);
  const came = file.added.flatMap((line): readonly Found[] => {
    if (isPom && /<skip>\s*true\s*</.test(line.code)) return skipped(file, line);
    const entry =
      /<(?:exclude|file|param|excludedClass|ignoreFiles|exclude-pattern)(?:\s[^>]*)?>([^<]+)<\/(?:exclude\w*|file|param|exclude-pattern)>/.exec(
        line.code,
      )?.[1];
    if (entry === undefined || file.before.code.includes(`>${entry}<`)) return [];
    const above = file.after.codeLines.slice(Math.max(0, line.number - 60), line.number);
    const tool = above.findLast(code => /<artifactId>|<testsuite\b|<(?:source|coverage|whitelist)\b/.test(code)) ?? '';
    if (isPom && !TOOL.test(tool)) return [];
    const block =
      above.findLast(code => /<(?:excludes?|includes?|testsuite|ignoreFiles|source|coverage)\b/.test(code)) ?? '';
    if (/<includes?\b/.test(block) && !/<exclude/.test(line.code)) return [];
    const isTests = /surefire|failsafe|testsuite/.test(tool);
    if (isTests ? isNoLoss(entry) || /Abstract|\$/.test(entry) : isNoLossOfCoverage(entry)) return [];
    if (/<file\b/.test(line.code) && isTests) return [];
    return [
      {
        message: `${quote(line.text)} keeps ${isTests ? 'tests from running' : 'a tool from looking at it'}`,
        path: file.path,
        line: line.number,
      },
    ];
  });
  if (isPom) return came;
  const modules = (code: string) =>
    [...code.matchAll(/<(?:module name|rule ref)="([^"]+)"/g)].map(match => match[1] ?? '');
  const still = new Set(modules(file.after.code));
  const off = modules(file.before.code).filter(name => !still.has(name));
  // Many at once is another way to configure it.
  if (/checkstyle|pmd|phpcs/.test(file.path) && off.length > 0 && off.length <= 3 && still.size > 0)
    return [
      ...came,
      ...off.map(name => ({
        message: `the check ${quote(name)} was taken away`,
        path: file.path,
        line: lineOf(file, name),
      })),
    ];
  const folders = (code: string) =>
    [...code.matchAll(/<directory[^>]*>([^<]+)<\/directory>/g)].map(match => match[1] ?? '');
  const now = folders(file.after.code);
  const gone = folders(file.before.code).filter(
    folder => !now.some(other => folder === other || folder.startsWith(`${other.replace(/\/$/, '')}/`)),
  );
  const replaced = now.length >= folders(file.before.code).length;
  return replaced
    ? came
    : [
        ...came,
        ...gone.map(folder => ({
          message: `${quote(folder)} is not looked at any more`,
          path: file.path,
          line: lineOf(file, folder),
        })),
      ];
}

/** A plugin that proves something does nothing; others may well be skipped. */
function skipped(file: LookFile, line: Line): readonly Found[] {
  const above = file.after.codeLines.slice(Math.max(0, line.number - 25), line.number);
  const plugin = above.findLast(code => /<artifactId>/.test(code)) ?? '';
  if (!TOOL.test(plugin)) return [];
  return [{ message: `${quote(plugin)} is skipped`, path: file.path, line: line.number }];
}

const lineOf = (file: LookFile, word: string): number =>
  file.removed.find(({ text }) => text.includes(word))?.number ?? 1;

/** Tasks of gates that a build no longer depends on, or enters only on request; files they leave out. */
function inGradle(file: LookFile): readonly Found[] {
  const checks =
    /\b(?:jacoco\w*|koverVerify|checkstyle\w*|pmd\w*|spotbugs\w*|detekt|ktlint\w*|spotless\w*|\w*[tT]est|pitest|apiCheck)\b/g;
  const needs = (code: string) =>
    new Set(code.split('\n').flatMap(line => (/dependsOn|finalizedBy/.test(line) ? (line.match(checks) ?? []) : [])));
  const now = needs(file.after.code);
  const lost = [...needs(file.before.code)].filter(task => !now.has(task) && file.after.code.includes(task));
  return [
    ...lost.map(task => ({
      message: `nothing depends on ${quote(task)} any more`,
      path: file.path,
      line: lineOf(file, task),
    })),
    ...file.added.flatMap((line): readonly Found[] => {
      const where = { path: file.path, line: line.number };
      if (
        /^\s*onlyIf\b.*(?:hasProperty|getenv|false)/.test(line.code) &&
        inBlock(file, line.number, /\btest|check|jacoco/i)
      )
        return [{ message: `${quote(line.text)} keeps a gate from running`, ...where }];
      if (
        /kover|excludes?\b.*\b(?:packages|classes)\(/.test(line.code) ||
        inBlock(file, line.number, /\bexcludes?\b/)
      ) {
        const lost = [...line.code.matchAll(/["']([\w.*/]+)["']/g)]
          .map(match => match[1] ?? '')
          .find(name => !file.before.code.includes(name) && !isNoLossOfCoverage(name.replaceAll('.', '/')));
        if (lost !== undefined && /kover|jacoco|pitest/i.test(file.after.code) && /packages|classes/.test(line.code))
          return [{ message: `${quote(lost)} is taken out of the coverage`, ...where }];
      }
      const entry = /^\s*(?:exclude|excludes)\b[\s(=+:[]*["']([^"']+)["']/.exec(line.code)?.[1];
      if (entry === undefined || !inBlock(file, line.number, TOOL) || isNoLossOfCoverage(entry)) return [];
      return [{ message: `${quote(line.text)} keeps a tool from looking at it`, ...where }];
    }),
  ];
}

/** Whether one of the blocks around a line is called so. */
function inBlock(file: LookFile, number: number, name: RegExp): boolean {
  let depth = 0;
  for (let at = number - 2; at >= Math.max(0, number - 60); at--) {
    const code = file.after.codeLines[at] ?? '';
    depth += (code.match(/\}/g)?.length ?? 0) - (code.match(/\{/g)?.length ?? 0);
    if (depth < 0) {
      if (name.test(code)) return true;
      depth = 0;
    }
  }
  return false;
}

/** A test target that is built only with a feature. */
const behindFeature = (file: LookFile): readonly Found[] => [
  ...leftWorkspace(file),
  ...file.added.flatMap((line): readonly Found[] => {
    if (!/^\s*required-features\s*=/.test(line.code)) return [];
    const above = file.after.codeLines.slice(Math.max(0, line.number - 8), line.number - 1);
    if (!/^\[\[test\]\]/.test(above.findLast(code => /^\s*\[/.test(code)) ?? '')) return [];
    const feature = /"([\w-]+)"/.exec(line.code)?.[1] ?? '';
    const isDeclared = new RegExp(`^${feature}\\s*=`, 'm').test(file.after.code);
    const message = `${quote(line.text)} keeps tests from running without that feature`;
    return [{ message, path: file.path, line: line.number, ...(isDeclared && { level: 'warn' as const }) }];
  }),
];

/** A crate that is still there, but is no longer built and tested with the others. */
function leftWorkspace(file: LookFile): readonly Found[] {
  const of = (code: string, key: string) => listsOf(code, 'toml', new RegExp(`^${key}$`)).map(({ entry }) => entry);
  const members = of(file.before.text, 'members');
  return of(file.after.text, 'exclude')
    .filter(entry => members.includes(entry) && !of(file.after.text, 'members').includes(entry))
    .map(entry => ({
      message: `${quote(entry)} was taken out of the workspace`,
      path: file.path,
      line: lineOf(file, entry),
    }));
}

/** Warnings of a compiler that nobody hears any more. */
function noWarn(file: LookFile): readonly Found[] {
  const codes = (code: string) =>
    [...code.matchAll(/<(?:NoWarn|WarningsNotAsErrors)>([^<]*)</g)].flatMap(
      match => match[1]?.match(/[A-Z]{2,}\d+|\d{4}/g) ?? [],
    );
  const known = new Set(codes(file.before.code));
  const lost = codes(file.after.code).filter(
    code => !known.has(code) && !/^(?:CS)?(?:1591|1573|1701|1702|1712)$|^NU|^SA1|^IDE|^CA1014$|^CA17/.test(code),
  );
  if (lost.length === 0) return [];
  const line = file.added.find(({ text }) => text.includes(lost[0] ?? ''))?.number ?? 1;
  return [{ message: `the compiler no longer speaks about ${quote(lost.join(', '))}`, path: file.path, line }];
}

/** Code of the project that SimpleCov leaves out, and drops that it lets pass. */
const simplecov = (file: LookFile): readonly Found[] => [
  ...file.added.flatMap((line): readonly Found[] => {
    const entry = /^\s*add_filter\b[\s(]*["'/]([^"'\n]+)/.exec(line.code)?.[1];
    if (entry === undefined || isNoLossOfCoverage(`/${entry}`) || file.before.code.includes(entry)) return [];
    return [{ message: `${quote(line.text)} takes code out of the coverage`, path: file.path, line: line.number }];
  }),
  ...file.removed.flatMap((line): readonly Found[] => {
    const word =
      /\b(?:refuse_coverage_drop|maximum_coverage_drop|enable_coverage|raise_errors_for_deprecations!|raise_on_warning)/.exec(
        line.code,
      )?.[0];
    return word === undefined || file.after.code.includes(word)
      ? []
      : [{ message: `${quote(line.text)} was taken away`, path: file.path, line: line.number }];
  }),
];

const PATTERN =
  /^\s*["']?(python_files|python_functions|python_classes|testMatch|testRegex|filterwarnings)["']?\s*[:=]\s*(.*)$/;

/** Patterns that find no test any more, and warnings that are no errors any more. */
function collected(file: LookFile): readonly Found[] {
  const error = file.removed.find(({ code }) => /^\s+error\s*$/.test(code));
  if (error && /filterwarnings/.test(file.after.code) && !/^[^\S\n]+error\s*$|["']error["']/m.test(file.after.code))
    return [{ message: 'warnings are no errors any more', path: file.path, line: error.number }];
  return file.added.flatMap((line): readonly Found[] => {
    const [, key, value = ''] = PATTERN.exec(line.code) ?? [];
    if (key === undefined || value.trim() === '' || value.trim() === '[') return [];
    const where = { path: file.path, line: line.number };
    const old = file.removed.map(({ code }) => PATTERN.exec(code)).find(match => match?.[1] === key)?.[2];
    if (key === 'filterwarnings') {
      const fails = (text: string) => /["'\s=]error["'\s,]|["'\s=]error$/.test(` ${text} `);
      return old !== undefined && fails(old) && !fails(value) && !file.after.code.includes('"error"')
        ? [{ message: `${quote(line.text)}: warnings are no errors any more`, ...where }]
        : [];
    }
    const names = /test|spec|should|it_|describe|should/i;
    if (names.test(value) || (old !== undefined && !names.test(old))) return [];
    return [{ message: `${quote(line.text)} finds none of the tests that there are`, ...where }];
  });
}
