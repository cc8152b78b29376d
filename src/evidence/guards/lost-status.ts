/** Scripts that ran tests and told how they ended, and no longer do. */
import type { Line, LookFile } from '../look.ts';

/** Ends with a value that was worked out. */
const TELLS =
  /(?<![\w$])(?:sys\.exit|os\._exit|process\.exit|Deno\.exit|SystemExit|exit!?)\s*\(\s*(?!(?:0|1|2|true|false|None)?\s*\))[^)\s]|\bprocess\.exitCode\s*=\s*(?!\d)\S|(?<![\w.])exit\s+(?!\d|true|false)[a-z]\w*/;
const RUNS =
  /\b(?:pytest|unittest|jest|vitest|mocha|rspec|minitest|jasmine|karma|ava|playwright|cypress|run_?tests?|wasSuccessful|TestRunner|TextTestRunner)\b/i;

/** The line that told, where nothing tells now. */
export function lostStatus(file: LookFile): Line | undefined {
  if (file.after.text === '' || !file.before.bare.includes('xit') || !file.removed.some(({ bare }) => TELLS.test(bare)))
    return undefined;
  if (!RUNS.test(file.before.code) || file.after.code.split('\n').some(line => TELLS.test(line))) return undefined;
  return file.removed.find(({ bare }) => TELLS.test(bare));
}
