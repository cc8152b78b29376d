/** The tests of one file. */
import { hasBraces, type Language } from '../language.ts';
import type { Masked } from '../mask.ts';
import { isCollected, type Role } from '../roles.ts';
import { braceTests } from './braces.ts';
import { withoutDead } from './dead-code.ts';
import { jsTests } from './js.ts';
import { pythonTests } from './python.ts';
import { rubyTests } from './ruby.ts';
import type { TestCase } from './test-case.ts';

export function readTests(
  source: Masked,
  file: { readonly path: string; readonly role: Role; readonly language: Language },
): readonly TestCase[] {
  const { role, language } = file;
  if (role !== 'test' && role !== 'test-support' && language !== 'rust') return [];
  if (!isCollected(file.path)) return [];
  if (language === 'js') return jsTests(withoutDead(source, language));
  if (language === 'python') return pythonTests(withoutDead(source, language));
  if (language === 'ruby' || language === 'elixir') return rubyTests(source, language);
  return hasBraces(language) ? braceTests(withoutDead(source, language), language) : [];
}
