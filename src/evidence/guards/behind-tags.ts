/** Go: tests that moved into a file with a build tag that nothing passes. */
import type { Look, LookFile } from '../look.ts';
import { compareTests } from '../tests/compare.ts';
import { type Found, quote } from './rule.ts';

const TAG = /^\/\/go:build[^\S\n]+(\w+)[^\S\n]*$/m;
/** What the compiler and the machine set themselves. */
const SET =
  /^(?:linux|darwin|windows|unix|freebsd|netbsd|openbsd|js|wasm|wasip1|android|ios|plan9|solaris|amd64|arm64|arm|386|riscv64|cgo|race|gc|gccgo|go1\w*)$/;

const tagOf = (file: LookFile): string | undefined => {
  const tag = file.language === 'go' ? TAG.exec(file.after.text.slice(0, 2000))?.[1] : undefined;
  return tag === undefined || SET.test(tag) || file.before.text !== '' ? undefined : tag;
};

/** Only where the tag is new: a file that has one already is read as it is. */
export function behindTags(look: Look): readonly Found[] {
  const tagged = new Map(
    look.files
      .flatMap(file => [[file, tagOf(file)] as const])
      .filter(([, tag]) => tag !== undefined && !isPassed(look, tag)),
  );
  if (tagged.size === 0) return [];
  return compareTests(look).pairs.flatMap(({ before, after }): readonly Found[] => {
    const tag = after.file === before.file ? undefined : tagged.get(after.file);
    if (tag === undefined || TAG.test(before.file.before.text.slice(0, 2000))) return [];
    const message = `the test ${quote(after.test.name)} runs only with the build tag ${quote(tag)} now, which nothing passes`;
    return [{ message, path: after.file.path, line: after.test.line }];
  });
}

/** Some command of the project builds with it. */
function isPassed(look: Look, tag: string): boolean {
  const passed = new RegExp(
    `-tags[= ]["']?[\\w, ]*\\b${tag}\\b|GOFLAGS[^\\n]*\\b${tag}\\b|build-tags[^\\n]*\\n?[^\\n]*\\b${tag}\\b`,
  );
  const texts = [...look.files.map(({ after }) => after.text), ...(look.input.unchanged?.values() ?? [])];
  return texts.some(text => text.includes(tag) && passed.test(text));
}
