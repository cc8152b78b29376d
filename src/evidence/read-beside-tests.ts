/** Code that finds the folder of the tests from where it stands itself, and reads there. */
import type { Look, LookFile } from './look.ts';
import { linesWith } from './matches.ts';
import { productionLines } from './production.ts';
import { isToolConfig } from './roles.ts';

/** A part of a path by itself: `Path(__file__).parent / "tests" / name`, `join(__dirname, '..', 'test', name)`. */
const FOLDER = /["'`](?:\.\.\/)*(?:tests?|specs?|__tests__|testdata|src\/test)(?:\/[\w./-]*)?["'`]/g;
const OWN_PLACE =
  /__file__|__dirname|import\.meta\.|\b__dir__\b|CARGO_MANIFEST_DIR|runtime\.Caller|user\.dir|process\.cwd\(\)|Rails\.root|os\.getcwd/;
const READS =
  /\bread\w*\(|\bopen\(|\.open\b|\bload\w*\(|exists|require\(|ReadFile|File\.read|include_(?:str|bytes)!|readFile|\.glob\(|newBufferedReader|readString|readAllLines|fromJson|parse\(/;
/** Programs about tests may well look for them. */
const ABOUT_TESTS =
  /(^|\/)(?:scripts?|tools?|bin|build|benchmarks?|examples?|tasks?|cli|dev)\/|tests?|spec|runner|gulpfile|gruntfile/i;

export function readBesideTests(
  look: Look,
  file: LookFile,
): readonly { readonly file: LookFile; readonly line: number; readonly value: string }[] {
  if (ABOUT_TESTS.test(file.path) || isToolConfig(file.path)) return [];
  return linesWith(productionLines(look, file), FOLDER).flatMap(({ code, number }) => {
    const near = file.after.codeLines.slice(Math.max(0, number - 2), number + 4).join('\n');
    const isOwn = OWN_PLACE.test(code) || OWN_PLACE.test(file.after.codeLines[number - 2] ?? '');
    return isOwn && READS.test(near) ? [{ file, line: number, value: code.trim() }] : [];
  });
}
