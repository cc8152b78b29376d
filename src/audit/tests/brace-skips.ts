/** How tests are skipped or focused in languages with braces: attributes, build tags, an early return. */
import type { Language } from '../language.ts';
import { allMatches } from '../matches.ts';
import { depthAt } from './brackets.ts';
import { CONDITIONAL_SKIP, maySkipItself, SELF_SKIP } from './self-skips.ts';
import type { Skip } from './test-case.ts';

export function isFocused(attributes: string): boolean {
  const lower = attributes.toLowerCase();
  return (lower.includes('focus') || lower.includes('only')) && /\bfocus\b|\[only\]|@only\b/.test(lower);
}

/** `[Ignore]`, `[Test, Explicit]`, `[Fact(Skip = Reason)]`; a condition on the platform counts as conditional. */
function csharpSkip(attributes: string): Skip {
  const bare = attributes.replace(/"(?:\\.|[^"\\])*"/g, '""');
  if (/[[,]\s*(?:\w+\.)*(?:Ignore|Explicit|IgnoreAttribute|ExplicitAttribute)\b(?!\s*=)/.test(bare)) return 'yes';
  if (
    /\bSkip(?:When|Unless)\s*=|[[,]\s*(?:\w+\.)*(?:Platform|SkippableFact|SkippableTheory|ConditionalFact|ConditionalTheory|OSCondition)\b/.test(
      bare,
    )
  )
    return 'conditional';
  return /\b(?:Skip|Ignore|IgnoreReason|IgnoreMessage|Explicit)\s*=\s*(?!null\b|false\b)/.test(bare) ? 'yes' : 'no';
}

export function attributeSkip(attributes: string, language: Language): Skip {
  if (attributes === '') return 'no';
  switch (language) {
    case 'rust': {
      if (/#\[\s*ignore\b/.test(attributes)) return 'yes';
      if (
        /#\[\s*cfg\s*\(\s*(?:any\s*\(\s*\)|not\s*\(\s*(?:test|all\s*\(\s*\))\s*\)|FALSE|false|(?:all\s*\(\s*test\s*,\s*)?feature\s*=\s*"(?:\w*disabled?\w*|never|broken\w*|skip\w*|nope|off|ignored?\w*|flaky\w*|quarantine\w*)")/.test(
          attributes,
        )
      )
        return 'yes';
      return /#\[\s*cfg(?:_attr)?\s*\(/.test(attributes.replace(/#\[\s*cfg\s*\(\s*test\s*\)\s*\]/g, ''))
        ? 'conditional'
        : 'no';
    }
    case 'csharp':
      return csharpSkip(attributes);
    case 'php':
      return 'no';
    case 'swift':
      if (/[(,]\s*\.disabled\(\s*(?!if:)/.test(attributes)) return 'yes';
      return /[(,]\s*\.(?:enabled|disabled)\(\s*if:/.test(attributes) ? 'conditional' : 'no';
    default:
      if (
        /@(?:\w+\.)*(?:Disabled|Ignore|Ignored)\b(?!\w)/.test(attributes) ||
        /\benabled\s*=\s*false\b/.test(attributes)
      )
        return 'yes';
      return /@(?:Disabled|Enabled)(?:On|If|For)\w*/.test(attributes) ? 'conditional' : 'no';
  }
}

export function fileSkip(code: string, language: Language): Skip {
  const top = code.slice(0, 2000);
  if (language === 'go') {
    return 'no';
  }
  return language === 'rust' && /^[^\S\n]*#!\[\s*cfg\s*\(\s*(?:any\s*\(\s*\)|not\s*\(\s*test)/m.test(top)
    ? 'yes'
    : 'no';
}

export const RETURN = /(?<![\w.])return\s*(?:;|\n|(?=\}))/g;

/** The body up to where it unconditionally returns or skips itself. */
export function cutAtReturn(bare: string, open: number, close: number): { readonly to: number; readonly skip: Skip } {
  const text = bare.slice(open, close);
  const maySkip = maySkipItself(text);
  let skip: Skip = maySkip && CONDITIONAL_SKIP.test(text) ? 'conditional' : 'no';
  for (const match of maySkip ? allMatches(text, SELF_SKIP) : []) {
    const before = text.slice(0, match.index).trimEnd();
    if (depthAt(text, 0, match.index) === 1 && !/\)$|\belse$/.test(before))
      return { to: open + match.index, skip: 'yes' };
    if (/\bif\s*\(?\s*(?:true|1\s*==\s*1)\s*\)?\s*\{?$/.test(before)) return { to: open + match.index, skip: 'yes' };
    skip = 'conditional';
  }
  for (const match of allMatches(text, RETURN)) {
    const before = text.slice(0, match.index).trimEnd();
    if (depthAt(text, 0, match.index) === 1 && !/\)$|\belse$/.test(before)) return { to: open + match.index, skip };
  }
  return { to: close, skip };
}
