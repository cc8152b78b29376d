/** How much a test of a web service asks: MockMvc, WebTestClient, REST Assured, Laravel. */

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
const MAY_ASK = /->assert|^(?:andExpect|expect[SHBC]|jsonPath|xpath|then\(\))/;

/** Nothing where it is no such assertion. */
export function requestStrength(text: string): number | undefined {
  if (!MAY_ASK.test(text)) return undefined;
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

/** What of the answer is looked at: its status, a header, a path in its body. */
export function requestSubject(text: string): string | undefined {
  if (!MAY_ASK.test(text)) return undefined;
  const inside =
    /^andExpect\((?:\w+\.)?(.*)\)$/.exec(text)?.[1] ??
    /^then\(\)\.(.*)$/.exec(text)?.[1] ??
    (/^(?:expect(?:Status|Header|Body|Cookie)\w*|jsonPath|xpath)\(/.test(text) ? text : undefined);
  if (inside === undefined) return undefined;
  const word = /^\w+/.exec(inside)?.[0] ?? '';
  const first = /^\w+\(\s*('[^']*')|^header\(\)\.\w+\(\s*('[^']*')|^expectHeader\(\)\.\w+\(\s*('[^']*')/.exec(inside);
  return `${word.replace(/^expectStatus$|^statusCode$/, 'status')} ${first?.[1] ?? first?.[2] ?? first?.[3] ?? ''}`.trim();
}
