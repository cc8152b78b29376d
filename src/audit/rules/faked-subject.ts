/** What tests make before each of them, and ask afterwards, replaced by an object that has the answers in it. */
import type { LookFile } from '../look.ts';
import { codeOf } from '../matches.ts';
import { assertionsOf } from '../tests/assertions.ts';
import { closing } from '../tests/brackets.ts';
import type { Replaced } from './replaced-subject.ts';

/** A double, in the words of some framework, or a thing of the tests that is named as one. */
const DOUBLE =
  /^(?:(?:unittest\.)?(?:mock\.)?(?:Magic|Async|NonCallable)?Mock|create_autospec|SimpleNamespace|types\.SimpleNamespace|(?:instance_|class_|object_)?(?:double|spy)|OpenStruct(?:\.new)?|Struct\.new|mock|mockk|spyk|Mockito\.mock|createMock|createStub|Mockery::mock|Substitute\.For|A\.Fake|new\s+Mock|vi\.mocked|jest\.mocked|jest\.fn|vi\.fn|sinon\.(?:stub|createStubInstance|mock|fake)|createSpyObj|jasmine\.createSpyObj|td\.(?:object|instance)|mock<|\$this->createMock)\s*[(<{]|^&?(?:new\s+)?(?:[\w.]*\.)?(?:fake|stub|mock|dummy|canned|Fake|Stub|Mock|Dummy|Canned)\w*\s*[({]|^&?(?:new\s+)?\w+(?:Fake|Stub|Mock|Double)\s*[({]/;
const FUNCTION =
  /\b(?:vi|jest|sinon|mock|td)\.(?:fn|stub|fake|spy|function)\b|=>|\bfunction\b|\blambda\b|\bfunc\s*\(|\basync\s+\w+\s*\(|^\s*(?:async\s+)?\w+\s*\([^)]*\)\s*\{/m;
/** Something of the project is made: a call with a name of its own. */
const MADE = /^(?:await\s+)?(?:&?new\s+)?((?:\w+(?:\.|::))*[A-Za-z_]\w*[!?]?)\s*(?:<[^<>]*>)?\s*(?:\(|\{|$)/;

interface Given {
  readonly name: string;
  readonly value: string;
  readonly at: number;
}

const ASSIGNS =
  /^[^\S\n]*(?:(?:const|let|var|val|final|private|static|this\.|self\.|\$this->|@)\s*)*(?:[A-Z]\w*(?:<[^<>\n]*>)?\s+)?\$?(\w+)(?:\s*:\s*[\w<>[\]|., ]+?)?\s*:?=(?![=>~])\s*(\S[^\n]*)$/gm;
const RUBY = /^[^\S\n]*(?:let!?\(\s*:(\w+)\s*\)|subject(?:\(\s*:(\w+)\s*\))?)\s*(?:\{|do)\s*([^\n]*?)\s*\}?$/gm;
const FIXTURE =
  /^@(?:pytest\.)?fixture[^\n]*\n(?:async\s+)?def\s+(\w+)\([^\n]*\n(?:[ \t]+[^\n]*\n)*?[ \t]+(?:return|yield)\s+([^\n]+)$/gm;

function givenIn(side: LookFile['after'], language: LookFile['language']): readonly Given[] {
  const patterns = language === 'ruby' ? [RUBY, ASSIGNS] : language === 'python' ? [FIXTURE, ASSIGNS] : [ASSIGNS];
  return patterns.flatMap(pattern =>
    [...side.code.matchAll(pattern)].map(match => {
      const [whole, ...groups] = match;
      const value = groups.at(-1) ?? '';
      const name = groups.slice(0, -1).find(group => group !== undefined) ?? 'subject';
      return { name, value, at: match.index + whole.lastIndexOf(value) };
    }),
  );
}

/** `{ hit: vi.fn(…) }` and what else has its functions written into it. */
function isFake({ value, at }: Given, { code, bare }: LookFile['after']): boolean {
  if (DOUBLE.test(value)) return true;
  const literal = /^(?:&?\w+(?:\.\w+)?)?\{/.exec(value);
  if (!literal) return false;
  const open = at + literal[0].length - 1;
  const body = code.slice(open, closing(bare, open));
  return FUNCTION.test(body) && !/\.\.\.\w/.test(body);
}

const FAKES =
  /[mM]ock|[fF]ake|[sS]tub|[sS]py|\.fn\b|double|=>|\bfunction\b|lambda|\bfunc\b|Substitute|SimpleNamespace|OpenStruct|Struct\.new|[dD]ummy|[cC]anned|create_autospec|\{\s*$/m;

/** Names that stood for a thing of the project and stand for a fake now, and that the tests ask directly. */
export function fakedSubjects(file: LookFile): readonly Replaced[] {
  if (file.before.text === '' || file.removed.length === 0 || !FAKES.test(codeOf(file.added))) return [];
  const old = new Map(givenIn(file.before, file.language).map(given => [given.name, given]));
  const added = new Set(file.added.map(({ number }) => number));
  return givenIn(file.after, file.language).flatMap((given): readonly Replaced[] => {
    const was = old.get(given.name);
    if (!was || was.value === given.value || isFake(was, file.before) || !isFake(given, file.after)) return [];
    if (!added.has(lineAt(file.after.code, given.at))) return [];
    const maker = MADE.exec(was.value)?.[1];
    if (maker === undefined || NOT_MADE.test(maker)) return [];
    return isAsked(file, given.name) ? [{ what: given.name, at: given.at }] : [];
  });
}

const lineAt = (text: string, at: number): number => text.slice(0, at).split('\n').length;
/** Nothing of the project. */
const NOT_MADE = /^(?:vi|jest|sinon|require|import|JSON|Object|Array|Promise|new|async|await|function|\d.*)$/;
/** Parameters, and what is asked: to hand something there is no use of it. */
const NOT_HANDED =
  /^[^\S\n]*(?:async\s+)?def\s[^\n]*$|\(\{?[\w\s,]*\}?\)\s*=>|\b(?:expect|assert\w*!?|XCTAssert\w*)\([^()\n]*\)/gm;

/** How a double was called, which is what doubles of others are asked. */
const CALLED =
  /toHaveBeen|toBeCalled|have_received|called|assert_(?:called|any_call|has_calls)|mock\.calls|callCount|\bverify\(/i;

/** Some test gets an answer from it and asks for that, and nothing of the project is handed it to work with. */
function isAsked({ after }: LookFile, name: string): boolean {
  const own = `(?<![\\w.$])(?:this\\.|self\\.|\\$this->|@|\\$)?${name}`;
  const handed = new RegExp(`(?:[(,{]\\s*(?:\\w+\\s*[:=]\\s*)?)${own}\\s*[,)}]|\\w\\s*=\\s*${own}\\s*(?:[;,)]|$)`, 'm');
  if (handed.test(after.bare.replace(NOT_HANDED, ''))) return false;
  const answer = new RegExp(`${own}(?:\\.|->|\\?\\.)\\w+`);
  const kept = new RegExp(`(\\w+)(?:\\s*,\\s*\\w+)*\\s*:?=\\s*[^\\n=]*${own}(?:\\.|->)\\w+[!?]?\\(`, 'g');
  return after.tests.some(test => {
    if (!answer.test(test.bare)) return false;
    const names = new Set([...test.bare.matchAll(kept)].map(match => match[1] ?? ''));
    return assertionsOf(test).some(
      ({ text }) =>
        !CALLED.test(text) && (answer.test(text) || (text.match(/[A-Za-z_]\w*/g) ?? []).some(word => names.has(word))),
    );
  });
}
