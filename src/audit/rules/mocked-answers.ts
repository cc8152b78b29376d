/** A mock that is told what to say and then asked for it: nothing of the project runs. */
import type { LookFile } from '../look.ts';
import { assertionsOf } from '../tests/assertions.ts';

interface Answer {
  readonly owner: string;
  readonly method: string;
}

/** How frameworks tell a mock what to say; the owner is what the test itself would call. */
const TOLD: readonly { readonly pattern: RegExp; readonly owner: (found: string) => string }[] = [
  { pattern: /\b(?:when|whenever|given|every|coEvery)\s*[({]\s*(\w+)\.(\w+)\(/g, owner: name => name },
  { pattern: /\b(\w+)\.Setup(?:Get)?\(\s*\w+\s*=>\s*\w+\.(\w+)/g, owner: name => `${name}.Object` },
  {
    pattern: /\b(\w+)(?:\.Configure\(\))?\.(\w+)\((?:[^()]|\([^()]*\))*\)\.(?:Returns\w*|Throws\w*)\(/g,
    owner: name => name,
  },
  {
    pattern: /(\$(?:this->)?\w+)\s*(?:->expects\([^;]*?\)\s*)?->(?:method|shouldReceive)\(\s*['"](\w+)['"]/g,
    owner: name => name,
  },
  { pattern: /\b(\w+)\.(?:EXPECT\(\)\.(\w+)\(|On\(\s*"(\w+)")/g, owner: name => name },
];

const MOCKS = /\bwhen\b|whenever|given\(|every\s*\{|\.Setup|\.Returns|->method\(|shouldReceive|EXPECT\(\)|\.On\("/;

/** `repo.find`, where a test asserts on what `repo.find(…)` gave it. */
export function mockedAnswers(
  file: LookFile,
  side: 'before' | 'after',
): readonly { readonly name: string; readonly at: number }[] {
  const { code } = file[side];
  if (!MOCKS.test(code)) return [];
  return TOLD.flatMap(({ pattern, owner }) =>
    [...code.matchAll(pattern)].flatMap(match => {
      const answer = { owner: owner(match[1] ?? ''), method: match[2] ?? match[3] ?? '' };
      const isAsked = answer.method !== '' && file[side].tests.some(test => asks(test, answer));
      return isAsked ? [{ name: `${answer.owner}.${answer.method}`, at: match.index }] : [];
    }),
  );
}

function asks(test: LookFile['after']['tests'][number], { owner, method }: Answer): boolean {
  const call = `${owner.replace(/[$.]/g, '\\$&')}(?:\\.|->)${method}\\b`;
  if (!new RegExp(call).test(test.code)) return false;
  const names = [...test.code.matchAll(new RegExp(`(\\$?\\w+)\\s*:?=\\s*(?:await\\s+)?${call}\\s*\\(`, 'g'))].map(
    match => match[1] ?? '',
  );
  const about = new RegExp(`^(?:await )?${call}\\(`);
  return assertionsOf(test).some(
    ({ subject, text }) =>
      !/^(?:(?:co)?[vV]erify\w*|confirmVerified|\w+\.(?:Verify|Received)\w*|every|when)\b/.test(text) &&
      (about.test(subject) ||
        names.some(name => subject === name || subject.startsWith(`${name}.`) || subject.startsWith(`${name}->`))),
  );
}
