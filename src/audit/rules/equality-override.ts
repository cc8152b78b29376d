/**
 * Objects that equal everything: they pass every comparison.
 *
 *     - def __eq__(self, other): return self.cents == other.cents
 *     + def __eq__(self, other): return True
 */
import type { LookFile } from '../look.ts';
import { type Found, quote, type Rule } from './rule.ts';

const FORMS: readonly RegExp[] = [
  // Python
  /\bdef\s+__(?:eq|ne|lt|le|gt|ge|bool|contains|instancecheck)__\s*\([^)]*\)\s*(?:->\s*\w+\s*)?:\s*(?:#[^\n]*)?\n?\s*(?:"""[^"]*"""\s*)?return\s+(?:True|1)\b/g,
  /\b__eq__\s*=\s*lambda[^:\n]*:\s*True\b/g,
  // Several languages: `… or True`, `… || true` as the whole answer.
  /\bdef\s+__(?:eq|ne)__\s*\([^)]*\)\s*(?:->\s*\w+\s*)?:\s*\n?\s*return\s+(?:[^\n]*\bor\s+(?:True|1)\b|(?:True|1)\s+or\b)/g,
  /\b(?:equals|Equals|isEqual|Equal|eq|operator\s*==|==)\s*\(?[^){}\n]{0,300}\)?\s*(?:(?::|->)\s*\w+\s*)?\{?\s*(?:=>?\s*)?(?:return\s+)?[^;{}\n]{0,300}\|\|\s*(?:true|1)\s*;?\s*(?:\}|$|end)/gm,
  // Java, Kotlin, C#, C++
  /\b(?:boolean|bool|fun|override\s+fun)\s+(?:equals|Equals)\s*\([^)]*\)\s*(?::\s*Boolean)?\s*(?:\{\s*return\s+true\s*;?\s*\}|=\s*true\b|=>\s*true\b)/g,
  /\boperator\s*==\s*\([^)]*\)\s*(?:const\s*)?\{\s*return\s+true\s*;\s*\}/g,
  // Rust
  /\bfn\s+eq\s*\(\s*&self[^)]*\)\s*->\s*bool\s*\{\s*(?:return\s+)?true\s*;?\s*\}/g,
  // Ruby
  /\bdef\s+(?:==|eql\?|===)\s*\(?[^)\n]*\)?\s*(?:\n|;)\s*(?:return\s+)?true\s*(?:\n|;)\s*end/g,
  // JavaScript
  /\b(?:equals|isEqual|asymmetricMatch|\[Symbol\.toPrimitive\])\s*(?:\([^)]*\)\s*(?::\s*boolean\s*)?\{\s*return\s+true\s*;?\s*\}|[:=]\s*\([^)]*\)\s*=>\s*true\b)/g,
  // Go
  /\bfunc\s*\([^)]*\)\s*Equals?\s*\([^)]*\)\s*bool\s*\{\s*return\s+true\s*\}/g,
];

/** A cheap test: each form contains one of these words. */
const WORDS =
  /__\w+__|\|\|\s*(?:true|1)|\b(?:equals|Equals?|isEqual|eq|asymmetricMatch)\b|toPrimitive|\boperator\s*==|\bdef\s+(?:==|eql)/;

export const equalityOverride: Rule = {
  id: 'equality-override',
  level: 'block',
  about: 'An object is made equal to everything.',
  check: ({ files }) =>
    files.flatMap(file => {
      if (file.added.length === 0 || file.role === 'docs' || file.role === 'generated') return [];
      if (!WORDS.test(file.after.code)) return [];
      return [...FORMS, ...(hasFields(file) ? BY_CLASS : [])].flatMap(form => {
        const now = count(file.after.code, form);
        return now > 0 && now > count(file.before.code, form) ? hits(file, form) : [];
      });
    }),
};

/** Equality by class alone, which is fine only for a class without data. */
const BY_CLASS: readonly RegExp[] = [
  /\bdef\s+__eq__\s*\([^)]*\)\s*(?:->\s*\w+\s*)?:\s*\n\s*return\s+(?:isinstance\(\s*other\s*,[^()\n]*\)|type\(\s*(?:self|other)\s*\)\s*(?:==|is)\s*type\(\s*(?:self|other)\s*\)|other is not None)\s*$/gm,
  /\b(?:equals|Equals|isEqual)\s*\([^)]*\)\s*(?::\s*\w+\s*)?(?:\{\s*return\s+\w+\s+(?:instanceof|is)\s+[\w.<>?]+\s*;?\s*\}|=>?\s*\w+\s+(?:instanceof|is)\s+[\w.<>?]+\s*;?\s*$)/gm,
  /\bdef\s+(?:==|eql\?)\s*\(?\w+\)?\s*\n\s*\w+\.(?:is_a\?|kind_of\?|instance_of\?)\(?\s*[\w:.]+\)?\s*\n\s*end/g,
];

const hasFields = ({ after: { code } }: LookFile): boolean =>
  /\bself\.\w+\s*[:=]|__slots__|\b(?:private|readonly|final|protected|val|var)\s+[\w<>[\]?]+|\bthis\.\w+\s*=|@\w+\s*=|attr_\w+|@dataclass/.test(
    code,
  );

const count = (code: string, form: RegExp): number => code.match(form)?.length ?? 0;

function hits(file: LookFile, form: RegExp): readonly Found[] {
  const added = new Set(file.added.map(line => line.number));
  return [...file.after.code.matchAll(form)].flatMap((match): readonly Found[] => {
    const line = file.after.code.slice(0, match.index).split('\n').length;
    const length = match[0].split('\n').length;
    if (!Array.from({ length }, (_, index) => line + index).some(number => added.has(number))) return [];
    return [{ message: `${quote(match[0])} is equal to everything`, path: file.path, line }];
  });
}
