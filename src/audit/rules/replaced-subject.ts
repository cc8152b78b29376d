/** Ways to put something of the test's own in the place of what it should test, without a word for a mock. */
import type { LookFile } from '../look.ts';
import { subjectOf } from '../roles.ts';

export interface Replaced {
  readonly what: string;
  readonly at: number;
}

/** Names that assertions get their values from. */
export interface Asked {
  has(name: string): boolean;
}

/** What the test takes from the project, by name. */
function importedNames(code: string): ReadonlySet<string> {
  const names = new Set<string>();
  if (!/\bimport\b|\brequire\b/.test(code)) return names;
  for (const match of code.matchAll(
    /^[^\S\n]*(?:import\s+(?:type\s+)?([\w$*{},\s]+?)\s+from\s*['"](?:\.{1,2}|[~@#])?\/[^'"]*['"]|(?:const|let|var)\s+([\w{},:\s]+?)\s*=\s*require\(\s*['"]\.{1,2}[^'"]*['"]|from\s+([\w.]+)\s+import\s+(\([^)]*\)|[\w, \t]+))/gm,
  )) {
    if (
      /^(?:unittest|pytest|hypothesis|datetime|typing|collections|django|rest_framework|freezegun)\b/.test(
        match[3] ?? '',
      )
    )
      continue;
    for (const name of (match[1] ?? match[2] ?? match[4] ?? '').match(/[A-Za-z_$][\w$]*/g) ?? [])
      if (!/^(?:as|type|default)$/.test(name)) names.add(name);
  }
  return names;
}

const plain = (name: string): string => name.replace(/[-_.]/g, '').toLowerCase();

/** Everything of the kind on one side of a change; `asked` are the names that assertions get their values from. */
export function replacedIn(file: LookFile, side: 'before' | 'after', asked: Asked): readonly Replaced[] {
  const { code } = file[side];
  const subject = plain(subjectOf(file.path));
  const isSubject = (name: string) => plain(name) === subject;
  const found: Replaced[] = [];
  // Each pattern with what is in all of its matches, and is found much faster.
  const all = (sign: string, pattern: RegExp, judge: (match: RegExpMatchArray) => string | undefined) => {
    if (!code.includes(sign)) return;
    for (const match of code.matchAll(pattern)) {
      const what = judge(match);
      if (what !== undefined) found.push({ what, at: match.index });
    }
  };
  const method = (owner: string, name: string) => (asked.has(name) ? `${owner}.${name}` : undefined);
  if (file.language === 'js') {
    all('.prototype.', /\b([A-Z]\w*)\.prototype\.(\w+)\s*=(?!=)/g, ([, owner = '', name = '']) => method(owner, name));
    all(
      'Object.defineProperty',
      /\bObject\.defineProperty\(\s*([\w.]+)\s*,\s*['"](\w+)['"]/g,
      ([, owner = '', name = '']) => method(owner, name),
    );
    all(
      'Object.assign',
      /\bObject\.assign\(\s*(?:new\s+)?([A-Z]\w*|[a-z]\w*)\b[^{\n]*\{\s*(\w+)\s*[:(]/g,
      ([, owner = '', name = '']) => method(owner, name),
    );
    all(
      '=>',
      /^[^\S\n]*([a-z]\w*)\.(\w+)\s*=\s*(?:async\s*)?(?:\([^)]*\)|\w+)\s*=>\s*(?!\{)/gm,
      ([, owner = '', name = '']) =>
        owner === 'module' || owner === 'global' || owner === 'window' ? undefined : method(owner, name),
    );
    all('extends', /\bclass\s+(?:\w+\s+)?extends\s+(\w+)\s*\{([\s\S]{0,400}?)\n\s*\}/g, ([, owner = '', body = '']) => {
      const own = [...body.matchAll(/^[^\S\n]*(?:async\s+)?(\w+)\s*\(/gm)]
        .map(match => match[1] ?? '')
        .find(name => asked.has(name));
      return own !== undefined && importedNames(code).has(owner) ? `${owner}.${own}` : undefined;
    });
    all('as', /=\s*\{[^\n]*\}\s+as\s+(?:unknown\s+as\s+|any\s+as\s+)?([A-Z]\w*)/g, ([, owner = '']) =>
      isSubject(owner) ? owner : undefined,
    );
    all('provide', /\bprovide\s*:\s*(\w+)\s*,\s*use(?:Value|Class|Factory)\b/g, ([, name = '']) =>
      isSubject(name) ? name : undefined,
    );
    all('createSpyObj', /\bcreateSpyObj(?:<\w+>)?\(\s*['"]?(\w+)['"]?/g, ([, name = '']) =>
      isSubject(name) ? name : undefined,
    );
    all('overrideProvider', /\boverrideProvider\(\s*(\w+)/g, ([, name = '']) => (isSubject(name) ? name : undefined));
    all(
      'override',
      /\boverride(?:Component|Template\w*|Directive|Pipe)\(\s*(\w+)\s*,\s*(?:['"`]|\{\s*set\s*:\s*\{[^}]*\btemplate\s*:)/g,
      ([, name = '']) => (isSubject(name) ? name : undefined),
    );
    all('from', /\bfrom\s*['"](\.{1,2}\/[^'"]*(?:__mocks__|mocks?|fakes?|stubs?)\/[\w.-]+)['"]/g, ([, path = '']) =>
      isSubject(path.replace(/^.*\//, '').replace(/\.\w+$/, '')) ? path : undefined,
    );
  }
  if (file.language === 'python') {
    all(
      'setitem(',
      /\bsetitem\(\s*(?:globals\(\)|\w+\.__dict__|sys\.modules)\s*,\s*['"]([\w.]+)['"]/g,
      ([, name = '']) => (asked.has(name) ? name : undefined),
    );
    all(')[', /^[^\S\n]*(?:globals\(\)|vars\(\w+\))\[\s*['"](\w+)['"]\s*\]\s*=/gm, ([, name = '']) =>
      asked.has(name) ? name : undefined,
    );
    all('lambda', /^[^\S\n]*(\w+)\.(\w+)\s*=\s*lambda\b/gm, ([, owner = '', name = '']) => method(owner, name));
    all(
      'setattr(',
      /\bsetattr\(\s*(\w+)\s*,\s*['"](\w+)['"]\s*,\s*(?:lambda|Mock|MagicMock|staticmethod)/g,
      ([, owner = '', name = '']) => method(owner, name),
    );
    all('class', /^([ \t]*)class\s+\w+\((\w+)\):\n((?:\1[ \t]+[^\n]*\n|\n)+)/gm, ([, , owner = '', body = '']) => {
      const own = [...body.matchAll(/^[^\S\n]*def\s+(\w+)\(self/gm)]
        .map(match => match[1] ?? '')
        .find(name => asked.has(name));
      return own !== undefined && isSubject(owner) ? `${owner}.${own}` : undefined;
    });
    all('patch(', /@(?:mock\.)?patch\(\s*['"]([\w.]+)['"]/g, ([, path = '']) => {
      const parts = path.split('.');
      const owner = parts.at(-2) ?? '';
      return isSubject(owner) &&
        /^[A-Z]/.test(owner) &&
        file[side].tests.some(({ bare }) => bare.includes(`.${parts.at(-1)}(`))
        ? path
        : undefined;
    });
  }
  if (file.language === 'ruby') {
    all(
      'described_class',
      /\b(?:instance_double|class_double|double|instance_spy)\(\s*described_class\b/g,
      () => 'described_class',
    );
    all(
      'subject',
      /^[^\S\n]*subject(?:\([^)]*\))?\s*(?:\{|do)\s*(?:OpenStruct|Struct|double|instance_double|Class)\.?\w*\b/gm,
      () => 'subject',
    );
    all(
      ':',
      /\b([A-Z]\w*|described_class)\.(?:define_method|class_eval|send\(\s*:define_method,)\s*\(?\s*:(\w+)/g,
      ([, owner = '', name = '']) => method(owner, name),
    );
    all('prepend', /\b([A-Z]\w*|described_class)\.prepend\b[^\n]*\bdef\s+(\w+)/g, ([, owner = '', name = '']) =>
      method(owner, name),
    );
    all('class', /^class\s+([A-Z]\w*)\s*\n((?:[ \t]+[^\n]*\n|\n)+)/gm, ([, owner = '', body = '']) => {
      const own = [...body.matchAll(/^[^\S\n]*def\s+(\w+)/gm)]
        .map(match => match[1] ?? '')
        .find(name => asked.has(name));
      return own !== undefined && isSubject(owner) ? `${owner}#${own}` : undefined;
    });
  }
  return found;
}

/** Functions that the test took from the project and defines itself now. */
export function ownCopies(file: LookFile, asked: Asked): readonly Replaced[] {
  if (file.before.text === '' || (file.language !== 'js' && file.language !== 'python')) return [];
  const old = importedNames(file.before.code);
  if (old.size === 0) return [];
  const now = importedNames(file.after.code);
  return [...old].flatMap((name): readonly Replaced[] => {
    if (now.has(name) || !asked.has(name)) return [];
    const own = new RegExp(
      `^\\s*(?:(?:async\\s+)?function\\s+${name}\\s*\\(|(?:const|let|var)\\s+${name}\\s*=\\s*(?:async\\s*)?(?:\\(|\\w+\\s*=>|function)|(?:async\\s+)?def\\s+${name}\\s*\\(|${name}\\s*=\\s*lambda\\b)`,
      'm',
    ).exec(file.after.code);
    return own ? [{ what: name, at: own.index }] : [];
  });
}
