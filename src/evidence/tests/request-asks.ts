/** How much a test of a web service or of a program asks: MockMvc, WebTestClient, REST Assured, Laravel, assert_cmd. */

const STATUS =
  /^andExpect\((?:MockMvcResultMatchers\.)?status\(\)\.(\w+)\(|^expectStatus\(\)\.(\w+)\(|^then\(\)\.status(?:Code)\((\w*)|->assert(Ok|Created|Accepted|NoContent|MovedPermanently|Found|NotFound|Forbidden|Unauthorized|Unprocessable|BadRequest|Conflict|Gone|Status|TooManyRequests|Successful|ClientError|ServerError|MethodNotAllowed|InternalServerError)\(/;
const RANGE = /^(?:is[1-5]xx\w*|Successful|ClientError|ServerError|anyOf|oneOf|lessThan\w*|greaterThan\w*|not|value)$/;
const EXACT =
  /\.(?:value|string|json|bytes|xml|isEqualTo|valueEquals|equalTo|json\w*|string)\((?!\s*(?:any|not|notNull|isA|instanceOf|exists|hasSize\(greater|greater|less))/;
const HARDLY =
  /\.(?:exists|isNotEmpty|isArray|isMap|isString|isNumber|isBoolean|hasJsonPath|returnResult|consumeWith)\(\)|\b(?:notNullValue|anything|any|instanceOf|isA)\(|not\((?:empty|nullValue|emptyString|emptyOrNullString)\(/;
const STRUCTURE =
  /->assert(?:JsonStructure|SessionHasNoErrors|ViewHas\('[^']*'\)|Valid\(|HeaderMissing|Header\('[^']*'\)$)/;

/** All forms have one of these. */
const MAY_ASK = /->assert|^(?:andExpect|expect[SHBC]|jsonPath|xpath|then\(\)|assert\(\)\.)/;

/** Nothing where it is no such assertion. */
export function requestStrength(text: string): number | undefined {
  if (!MAY_ASK.test(text)) return undefined;
  const process = OF_PROCESS.exec(text);
  if (process) return processStrength(process[1] ?? '', process[2] ?? '');
  const status = STATUS.exec(text);
  if (status) {
    const word = status[1] ?? status[2] ?? status[3] ?? status[4] ?? '';
    return RANGE.test(word) && !/value\(\d/.test(text) ? 3 : 5;
  }
  if (STRUCTURE.test(text)) return 2;
  if (!/^(?:andExpect\(|expect(?:Header|Body|Cookie)|jsonPath\(|xpath\(|then\(\)\.)/.test(text)) return undefined;
  const bare = text.replace(/'(?:\\.|[^'\\])*'/g, "''");
  if (HARDLY.test(bare)) return 1;
  if (
    EXACT.test(bare) ||
    /,(?:is|equalTo|contains|hasSize|containsInAnyOrder)\((?!greater|less|not)|isEmpty\(|doesNotExist\(/.test(bare)
  )
    return 5;
  if (/(?:greater|less)Than/.test(bare)) return 3;
  return 4;
}

const OF_PROCESS = /^assert\(\)\.(\w+)\((.*)\)$/;
const PART = /\b(?:contains|starts_with|ends_with|is_match|similar|count|diff)\(/;

function processStrength(link: string, argument: string): number {
  if (link === 'failure') return 2;
  if (link === 'success' || link === 'interrupted') return 4;
  if (/\.not\(\)|\b(?:always|is_utf8)\(|\|_?\w*\| ?true\b/.test(argument)) return 1;
  return PART.test(argument) ? 4 : 5;
}

/** What of the answer is looked at: its status, a header, a path in its body. */
export function requestSubject(text: string): string | undefined {
  if (!MAY_ASK.test(text)) return undefined;
  const process = OF_PROCESS.exec(text)?.[1];
  if (process !== undefined) return /^std/.test(process) ? process.slice(0, 6) : 'status';
  const inside =
    /^andExpect\((?:\w+\.)?(.*)\)$/.exec(text)?.[1] ??
    /^then\(\)\.(.*)$/.exec(text)?.[1] ??
    (/^(?:expect(?:Status|Header|Body|Cookie)\w*|jsonPath|xpath)\(/.test(text) ? text : undefined);
  if (inside === undefined) return undefined;
  const word = /^\w+/.exec(inside)?.[0] ?? '';
  const first = /^\w+\(\s*('[^']*')|^header\(\)\.\w+\(\s*('[^']*')|^expectHeader\(\)\.\w+\(\s*('[^']*')/.exec(inside);
  return `${word.replace(/^expectStatus$|^statusCode$/, 'status')} ${first?.[1] ?? first?.[2] ?? first?.[3] ?? ''}`.trim();
}
