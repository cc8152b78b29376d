/**
 * Test libraries replaced by the project's own code: every test then trusts that code.
 *
 *     - "vitest": "3.2.0"
 *     + "vitest": "file:./tools/vitest"   in package.json
 */
import type { Line } from '../line.ts';
import type { Look, LookFile } from '../look.ts';
import { linesWith, textOf } from '../matches.ts';
import { type Found, quote } from './rule.ts';

const LIBRARIES = String.raw`pytest(?:-\w+)*|unittest2|nose2?|hypothesis|jest|@jest\/[\w-]+|vitest|@vitest\/[\w-]+|mocha|chai(?:-[\w-]+)?|sinon|jasmine(?:-core)?|uvu|ava|tape|@testing-library\/[\w-]+|supertest|fast-check|@playwright\/test|cypress|github\.com\/stretchr\/testify|github\.com\/onsi\/(?:gomega|ginkgo)(?:\/v\d)?|gotest\.tools(?:\/v\d)?|github\.com\/google\/go-cmp|rspec(?:-(?:core|expectations|mocks|support|rails))?|minitest|test-unit|insta|proptest|quickcheck|rstest|pretty_assertions|assert_cmd|googletest|mockall|phpunit(?:\/phpunit)?|pestphp\/pest|mockery\/mockery`;
/** As the replaced name, or as the end of the path that replaces it. */
const NAMED = new RegExp(
  String.raw`(?<![\w@.-])(?:${LIBRARIES})(?:\$?["']?\s*(?:[:=,]|@\s|v[\d.]+\s*=>)|["'\s}\],/]*$)`,
  'gm',
);

const MANIFEST =
  /(^|\/)(?:package\.json|pnpm-workspace\.yaml|deno\.jsonc?|composer\.json|Cargo\.toml|\.cargo\/config(?:\.toml)?|(?:requirements|constraints)[^/]*\.(?:txt|in)|pyproject\.toml|Pipfile|Gemfile|go\.(?:mod|work)|(?:tsconfig|jsconfig)[^/]*\.json|(?:vite|vitest|jest|webpack|rollup|babel|karma|rspack)[^/]*\.(?:[cm]?[jt]s|json))$/;

/** Notations that always mean a library from a local folder. */
const FROM_FOLDER =
  /["'](?:file|link|portal):|@\s*file:|=>\s*\.{0,2}\/|\bpath\s*(?:=|:|=>)\s*["']|^\s*(?:-e|--editable)\s+\.|^\s*\.{1,2}\/|"type"\s*:\s*"path"/;
/** A local path, which alone may mean many things. */
const LOCAL = /["'](?:\.{1,2}\/|<rootDir>)|\b(?:resolve|join|fileURLToPath|URL)\(|"url"\s*:\s*"(?!https?:|git)/;
/** Sections in which a name is mapped to the module that is loaded instead. */
const SECTION =
  /\b(?:overrides|resolutions|\w*[dD]ependencies|alias|moduleNameMapper|paths|packageExtensions|repositories|patch|sources|imports)\b/;

export function ownTestLibraries(look: Look): readonly Found[] {
  return look.files.flatMap((file): readonly Found[] => {
    if (file.role === 'fixture' || file.change.kind === 'deleted') return [];
    return MANIFEST.test(file.path) ? takenFromFolder(file) : [];
  });
}

function takenFromFolder(file: LookFile): readonly Found[] {
  return linesWith(file.added, NAMED, textOf).flatMap((line): readonly Found[] => {
    const isReplaced = FROM_FOLDER.test(line.text) || (LOCAL.test(line.text) && isInSection(file, line));
    if (!isReplaced || file.removed.some(({ text }) => FROM_FOLDER.test(text) && text.trim() === line.text.trim()))
      return [];
    const message = `${quote(line.text)} takes a test library from a folder of the project, so no test can be believed`;
    return [{ message, path: file.path, line: line.number }];
  });
}

/** Whether the line, or one of those around it, names such a section. */
function isInSection(file: LookFile, { number, text }: Line): boolean {
  if (SECTION.test(text)) return true;
  let indent = text.search(/\S/);
  for (let at = number - 2; at >= 0 && indent > 0; at--) {
    const line = file.after.lines[at] ?? '';
    const depth = line.search(/\S/);
    if (depth < 0 || depth >= indent) continue;
    indent = depth;
    if (SECTION.test(line)) return true;
  }
  return false;
}
