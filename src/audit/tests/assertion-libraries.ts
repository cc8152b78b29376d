/**
 * What an assertion of the typed languages and of PHP asks, and of what: NUnit, xUnit, FluentAssertions, Shouldly, Gomega,
 * testify, AssertJ, Hamcrest, Kotest, PHPUnit, Pest. Their words differ in case and in small words only.
 */
import { closing, partsOf } from './brackets.ts';

interface Asked {
  readonly subject: string;
  /** In lower case, without the small words around it. */
  readonly verb: string;
  readonly args: readonly string[];
  readonly type: string;
  readonly negated: boolean;
}

const hollow = (text: string): string =>
  text.replace(/'(?:\\.|[^'\\])*'/g, found => `'${'_'.repeat(Math.max(0, found.length - 2))}'`);

const INFIX = /^(.+?)(?: |(?<=[)\]}]))(should(?:Not)?[A-Z]\w*)(?: ?(?=[^(])(.+))?$/;
const EXTENSION = /^(.+?)\.([sS]hould(?:Not)?[A-Z]\w*)(?:<([^<>]*)>)?\(/;
const FLUENT = /^(.+?)\.Should\(\)((?:\.(?:And|Which|Subject|Be|Have|Not))*)\.(\w+)(?:<(.*?)>)?\(/;
const GOMEGA = /^(?:\w+\.)*(?:Expect|Eventually|Consistently|Ω|ExpectWithOffset)\(/;
const PEST = /^expect\(/;
const CHAIN = /^(?:\w+\.)*(?:assertThat(?:Object|Code|List)?|expectThat|assertThatCode)\(/;
const MATCHED = /^(?:\w+\.|\$this->|self::)*(?:[aA]ssertThat|Assert\.That|that)\(/;
const STATIC =
  /^(?:\w+\.)*(?:(?:Collection|String|File)?Assert\.|Should\.|(?=should)|(?:assert|require|s|suite|is|must|check)\.(?=[A-Z])|(?:\$this->|self::|static::|Assertions\.|\w+::)?assert_?)(\w+)!?(?:<(.*?)>)? ?[({]/;

/** `expect(x).toBe(3)`, `assert x == 3`, and what Go asks with an `if`: none of the forms here. */
const isOther = (text: string): boolean => /^(?:expect\(|assert |if )/.test(text) && !/hould|->/.test(text);

function read(text: string): Asked | undefined {
  if (isOther(text)) return undefined;
  const bare = hollow(text);
  if (GOMEGA.test(bare)) return matcherAfter(text, bare);
  // Most have no such word, and these patterns try every place of a long text.
  const isShould = /[sS]hould/.test(bare);
  const infix = isShould ? INFIX.exec(bare) : null;
  if (infix && !/^(?:should|if |expect\()/.test(bare)) {
    const left = text.slice(0, (infix[1] ?? '').length);
    return made(left, infix[2] ?? '', infix[3] === undefined ? [] : [text.slice(text.length - infix[3].length)]);
  }
  const own = isShould ? EXTENSION.exec(bare) : null;
  if (own) return made(own[1] ?? '', own[2] ?? '', argumentsAt(text, bare, own[0].length - 1), own[3]);
  const fluent = isShould ? FLUENT.exec(bare) : null;
  if (fluent)
    return made(
      fluent[1] ?? '',
      `${(fluent[2] ?? '').replace(/\./g, '')}${fluent[3] ?? ''}`,
      argumentsAt(text, bare, fluent[0].length - 1),
      fluent[4],
    );
  if (
    (CHAIN.test(bare) && closing(bare, bare.indexOf('(')) < bare.length - 1) ||
    (PEST.test(bare) && bare.includes('->'))
  )
    return lastLink(text, bare);
  const matched = MATCHED.exec(bare);
  if (matched) {
    const [subject = '', ...rest] = argumentsAt(text, bare, matched[0].length - 1);
    const constraint = rest.find(part => !/^'/.test(part));
    return constraint === undefined ? undefined : constrained(subject, constraint);
  }
  const plain = STATIC.exec(bare);
  if (!plain) return undefined;
  const args = argumentsAt(text, bare, plain[0].length - 1).filter(part => !/^(?:t|tb|s\.T\(\))$/.test(part));
  return made(args.at(-1) ?? '', plain[1] ?? '', args, plain[2]);
}

const argumentsAt = (text: string, bare: string, open: number): readonly string[] =>
  partsOf(bare, open, closing(bare, open)).map(([from, to]) => text.slice(from, to).trim());

/** `Expect(x).NotTo(Equal(3))`. */
function matcherAfter(text: string, bare: string): Asked | undefined {
  const open = bare.indexOf('(');
  const close = closing(bare, open);
  const link = /\.(To|NotTo|ToNot|Should|ShouldNot)\(/.exec(bare.slice(close));
  if (!link) return undefined;
  const at = close + link.index + link[0].length - 1;
  const [subject = ''] = argumentsAt(text, bare, open);
  const [matcher = ''] = argumentsAt(text, bare, at);
  return constrained(subject, matcher, /Not/.test(link[1] ?? ''));
}

/** A matcher, or a chain of words such as `Is.Not.EqualTo(3)`, around others perhaps. */
function constrained(subject: string, matcher: string, negated = false): Asked {
  const bare = hollow(matcher);
  const call = /^((?:\$this->|self::|\w+\.)*)(\w+)(?:<(.*?)>)?(?=\(|$)/.exec(bare);
  const words = (call?.[1] ?? '').replace(
    /\$this->|self::|(?:Is|Has|Does|Matchers|CoreMatchers|gomega|Contains)\.|\./g,
    ' ',
  );
  const verb = call?.[2] ?? '';
  // Hamcrest's `contains` asks for all of them, in their order.
  if (verb === 'contains' && words.trim() === '') return made(subject, 'containsExactly', [matcher], '', negated);
  const open = bare.indexOf('(');
  const args = open < 0 ? [] : argumentsAt(matcher, bare, open);
  const inner = args[0] ?? '';
  if (/^(?:not|Not|is|logicalNot)$/.test(verb) && /^[\w.$]+(?:->\w+)?(?:<[^<>]*>)?\(/.test(inner))
    return constrained(subject, inner, verb === 'is' ? negated : !negated);
  const isNot = /\b(?:Not|No)\b/.test(words);
  return made(
    subject,
    `${words.replace(/\b(?:Not|No)\b/g, '').replace(/\s+/g, '')}${verb}`,
    args,
    call?.[3],
    negated !== isNot,
  );
}

/** The last link of `assertThat(x).isNotNull()`, `expect($x)->not->toBeNull()`. */
function lastLink(text: string, bare: string): Asked | undefined {
  const open = bare.indexOf('(');
  const [subject = ''] = argumentsAt(text, bare, open);
  const close = closing(bare, open);
  const links = /^((?:(?:\.|->)[\w$]+(?:\([^()]*(?:\([^()]*\)[^()]*)*\))?)*?)(?:\.|->)(\w+)(?:<([^<>]*)>)?\(/.exec(
    bare.slice(close + 1),
  );
  if (!links) return undefined;
  const at = close + links[0].length;
  // Only where it is the last one.
  if (closing(bare, at) !== bare.length - 1) return undefined;
  const negated = /->not$|->not->|\.not$/.test(links[1] ?? '');
  return made(
    subject + (links[1] ?? '').replace(/->not\b/g, ''),
    links[2] ?? '',
    argumentsAt(text, bare, at),
    links[3],
    negated,
  );
}

function made(subject: string, word: string, args: readonly string[], type = '', negated = false): Asked {
  const plain = word
    .replace(/^(?:should|Should|to(?=[A-Z])|assert(?=[A-Z_]))/, '')
    .replace(/_/g, '')
    .toLowerCase();
  const isNot = /not(?!hing|ify|ified)|^no(?=exception|error|throw)/.test(plain);
  const verb = plain
    .replace(/^(?:does|is|do|did)(?=not)/, '')
    .replace(/not(?!hing)/, '')
    .replace(/^(?:be|is|to|have|has|are|does)(?=\w{2})/, '');
  return { subject, verb, args, type, negated: negated !== isNot };
}

const ANY_ERROR = /^(?:System\.|\\|kotlin\.)?(?:Exception|Throwable|RuntimeException|Error)$/;

const NOTHING =
  /^(?:null|nil|nilvalue|nullvalue|empty|emptystring|emptyorn?ullstring|blank|blankstring|blankorn?ullstring|nullorempty|nullorwhitespace|nullorblank|zero|default|none|occurred|haveoccurred|throw|throwany|throwexactly|throwasync|thrown|exception|error|panics?|raises?|nan|undefined|throwanyexception|throwsexception)$/;
const TYPE =
  /^(?:(?:exactly)?instance(?:of(?:any)?)?|an?instanceof|instanceof|isa|assignable(?:to|from|totypeof)|oftype|type(?:of)?|sa|a|implements|array|string|int|integer|bool|boolean|float|numeric|number|object|callable|iterable|scalar|json|list|exactlyoftype)$/;
const THERE =
  /^(?:present|some|ok|exist|exists|succeed|success|right|defined|any|anything|nothing|throwsnothing|thrownothing|truthy)$/;
const RAISES =
  /^(?:throws?(?:any|exactly|async|exception|withmessage)?(?:exception|async)?|fails?(?:with)?|catch|raises?|panics?|occurred|haveoccurred|thrownby|error|errors|throwsexactly)$/;
const ORDERED =
  /(?:greater|less|above|below|atleast|atmost|between|inrange|range|positive|negative|before|after|older|newer)/;
const ONE_OF = /^(?:oneof|n|in|anyof|elementof|containany(?:of)?|containsany(?:of)?|or|either|isoneof|some?of)$/;
const KEY =
  /^(?:key|arrayhaskey|arrkey|objecthasproperty|objecthasattribute|property|containskey|containkey|keys|fieldororproperty|fieldorproperty|member|objecthas\w*)$/;
const PART =
  /contain|start|end(?:s|with)|match|regex|include|subset|superset|substring|item|like|entry|close|approx|within|delta|epsilon|allsatisfy|every/;
const SIZE =
  /^(?:size|len|length|count|jsoncount|single|containsingle|onlyelement|countequalto|lengthequalto|sameSizeas)$/;
const EXACT =
  /^(?:equal\w*|eq|eql|e|same\w*|dentical\w*|exactly\w*|equivalent\w*|areequal\w*|sequence\w*|consistof|elementsmatch|exactelements|contain(?:s)?exactly\w*|contain(?:s)?only\w*|containinorder|jsoneq|yamleq|snapshot|linesmatch|keywithvalue|yson|linesare|panicswithvalue|panicswitherror|errorstring|iterableequals|arrayequals|inlinesnapshot|containsentryexactly|contentequals|null|nil|empty|zero|containsinanyorder|containinanyorder)$/;

/** From 0, which any code passes, to 5, which only one value does; nothing where the words are not known here. */
export function typedStrength(text: string): number | undefined {
  if (
    /ThrownBy\(|ThatException|ThatIllegal|ThatNull|ThatNoException|recordException/i.test(text) &&
    !/^Assert\.(?:Null|Empty)\(Record\./.test(text)
  )
    return /NoException/.test(text) ? 1 : /^\w*ThatThrownBy\((?:[^()]|\([^()]*\))*\)$/.test(text) ? 2 : undefined;
  if (/^(?:\w+\.)*Assert\.Null\((?:await )?Record\.Exception/.test(text)) return 1;
  if (/matches!\(/.test(text)) return undefined;
  const empty = /^(?:\w+\.)*[aA]ssert(?:False|\.False|\.IsFalse)\(.*(?:isEmpty|isBlank|isNull|IsNullOr\w+)\(?/.test(
    text,
  );
  if (empty) return 1;
  const asked = read(text);
  return asked && strengthOf(asked);
}

function strengthOf({ verb, args, type, negated }: Asked): number | undefined {
  const last = args.at(-1) ?? '';
  if (negated) {
    if (NOTHING.test(verb) || /^(?:null|nil|None)$/.test(last)) return 1;
    if (RAISES.test(verb)) return 1;
    return EXACT.test(verb) || /^(?:be|is)?$/.test(verb) ? 2 : undefined;
  }
  if (verb === 'anything' || verb === 'any') return 0;
  if (TYPE.test(verb)) return 1;
  if (THERE.test(verb)) return verb === 'truthy' ? 2 : 1;
  if (RAISES.test(verb)) {
    const what =
      type !== ''
        ? type
        : (args.find(part => /\.class|::class|typeof/.test(part)) ?? '').replace(
            /\.class$|::class(?:\.java)?$|^typeof\(|\)$/g,
            '',
          );
    if (type === '' && what === '') return /^(?:error|errors)$/.test(verb) && args.length > 1 ? undefined : 2;
    return ANY_ERROR.test(what) ? 2 : 4;
  }
  const number = /^'([<>=~!]+)'$/.exec(args[0] ?? '')?.[1];
  if (verb === 'numerically') return number === '==' ? 5 : number === '~' ? 4 : last === '0' ? 2 : 3;
  if (ORDERED.test(verb))
    return /positive|negative/.test(verb) || (/greater|above|atleast/.test(verb) && args.includes('0')) ? 2 : 3;
  if (ONE_OF.test(verb)) return 3;
  if (KEY.test(verb)) return args.filter(part => !/^\$/.test(part)).length > 1 ? 5 : 3;
  if (SIZE.test(verb)) return /greater|[mM]ore/.test(last) ? 2 : 5;
  if (EXACT.test(verb) || /^(?:be|is)?$/.test(verb))
    return verb === '' && args.length === 0 ? undefined : isTruth(last) ? 4 : 5;
  if (/^receive$/.test(verb)) return args.length === 0 ? 2 : 5;
  if (/^match/.test(verb) && /^'\.[*+]'$/.test(args[0] ?? '')) return 1;
  return PART.test(verb) ? 4 : undefined;
}

const isTruth = (value: string): boolean => /^(?:true|false)$/.test(value);

/** Moq, NSubstitute, PHPUnit: the call that a mock should have had. */
const MOCKED =
  /^(?:await )?(\w+)\.Verify\w*\(\w+ ?=> ?\w+\.(\w+)|^(?:await )?(\w+)\.(?:DidNot)?Received\w*\(.*?\)\.(\w+)\(|^(\$[\w>-]+?)->(?:expects|shouldReceive|shouldHaveReceived)\([^]*?(?:method\('(\w*)')?/;

/** What is looked at, where the usual places do not tell. */
export function typedSubject(text: string): string | undefined {
  if (isOther(text)) return undefined;
  const bare = hollow(text);
  const mocked = MOCKED.exec(bare);
  if (mocked) return `${mocked[1] ?? mocked[3] ?? mocked[5] ?? ''}.${mocked[2] ?? mocked[4] ?? mocked[6] ?? ''}`;
  if (!/[sS]hould/.test(bare) || GOMEGA.test(bare)) return undefined;
  const infix = INFIX.exec(bare);
  if (infix && !/^(?:should|if |expect\()/.test(bare)) return text.slice(0, (infix[1] ?? '').length);
  const own = EXTENSION.exec(bare) ?? FLUENT.exec(bare);
  return own ? text.slice(0, (own[1] ?? '').length) : undefined;
}

/** What is asked to be equal to what. */
export function typedSides(text: string): readonly [string, string] | undefined {
  const asked = read(text);
  if (!asked || asked.negated || !(EXACT.test(asked.verb) || /^(?:be|is)$/.test(asked.verb))) return undefined;
  // They look at one thing only.
  if (/^(?:null|nil|empty|zero|snapshot|inlinesnapshot)$/.test(asked.verb)) return undefined;
  const own = asked.args.filter(part => part !== asked.subject);
  // `Assert.Equal(a, a)` has its subject among its arguments.
  if (asked.args.length === 2 && own.length < 2) return [asked.subject, own[0] ?? asked.subject];
  return asked.args.length === 1 ? [asked.subject, asked.args[0] ?? ''] : undefined;
}

const OPPOSITES: readonly (readonly [string, string])[] = [
  ['succeed', 'occurred'],
  ['true', 'false'],
  ['nil', '!nil'],
  ['null', '!null'],
  ['nullvalue', '!nullvalue'],
  ['empty', '!empty'],
  ['occurred', '!occurred'],
  ['zero', '!zero'],
];

/** `Or(Succeed(), HaveOccurred())`, `anyOf(nullValue(), notNullValue())`, `Is.Null.Or.Not.Null`. */
export function takesAll(text: string): boolean {
  if (!/\b(?:Or|SatisfyAny|anyOf|either|AnyOf)\b/.test(text)) return false;
  const either = /\bIs\.(\w+)\.Or\.(?:Not\.)?(\w+)/.exec(text);
  if (either && /\.Or\.Not\./.test(text) && either[1] === either[2]) return true;
  const match = /\b(?:Or|SatisfyAny|anyOf|AnyOf)\(/.exec(text);
  if (!match) return false;
  const words = argumentsAt(text, hollow(text), match.index + match[0].length - 1).map(part => {
    const { verb, negated } = constrained('', part);
    return `${negated ? '!' : ''}${verb}`;
  });
  return OPPOSITES.some(([a, b]) => words.includes(a) && words.includes(b)) || words.includes('anything');
}
