/** Calls with which a test skips itself, in languages with braces. */

/** A part of each pattern below: searching for a word takes a hundredth of the time of all patterns. */
const WORDS = ['kip', 'ssum', 'Assert.', 'markTest', 'SKIP'];
const RAISED = /(?:Ignore|Inconclusive|Success|Aborted|Pending)Exception/;

/** A cheap test: if it is false, neither pattern below matches. */
export const maySkipItself = (code: string): boolean =>
  WORDS.some(word => code.includes(word)) || (code.includes('Exception') && RAISED.test(code));

/** Calls that skip unconditionally when they are reached. */
export const SELF_SKIP = new RegExp(
  [
    String.raw`\b(?:t|tb|b|f|s\.T\(\)|suite\.T\(\)|GinkgoT\(\))\.(?:Skip|Skipf|SkipNow)\s*\(`,
    String.raw`(?=S)(?<![\w.$])Skip\s*\(\s*(?:"|fmt\.)`,
    String.raw`\bAssum(?:e|ptions)\.\w+\(\s*false|\bassum(?:e|ing)(?:True|That)?\(\s*false|\bassumeFalse\(\s*true|\bAssum(?:e|ptions)\.abort\s*\(`,
    String.raw`\bassumeTrue\(\s*"[^"]*"\s*,\s*false`,
    String.raw`\bAssert\.(?:Ignore|Inconclusive|Skip|Pass)\s*\(|\bAssert\.(?:SkipWhen|SkipIf)\(\s*true|\bAssert\.SkipUnless\(\s*false|\bSkip\.(?:If|When)\(\s*true|\bSkip\.(?:IfNot|Unless)\(\s*false`,
    String.raw`\bthrow\s+(?:new\s+)?(?:\w+\.)*(?:XCTSkip|Skip|SkipException|SkippedException|SkipTestException|IgnoreException|InconclusiveException|SuccessException|TestAbortedException|AssumptionViolatedException|TestSkippedException|PendingException)\b`,
    String.raw`(?:->|\bself::|\bstatic::|\b)markTest(?:Skipped|Incomplete)\s*\(|\bGTEST_SKIP\s*\(`,
    String.raw`\bprop_assume!\(\s*false`,
  ].join('|'),
  'g',
);

export const CONDITIONAL_SKIP =
  /\bassum(?:e|ing)(?:True|False|That|Not\w+)?\s*\(|\bAssum(?:e|ptions)\.\w+\(|\bXCTSkip(?:If|Unless)\b|\bSkip\.(?:If|IfNot|Unless|When)\(|\bAssert\.Skip(?:When|Unless|If)\(/;
