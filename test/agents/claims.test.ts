import { describe, expect, it } from 'vitest';
import { readClaim } from '../../src/agents/claims.ts';

const item = 'US-001';
const signal = `RALPH_TASK_COMPLETE: ${item}`;
const promise = '<promise>COMPLETE</promise>';
const blocked = `RALPH_TASK_BLOCKED: ${item} - the API is gone`;
const question = `RALPH_TASK_QUESTION: ${item} - which API then?`;
const brief = [
  '# Your item',
  'Add a function.',
  '',
  'When the work is done, end your last message with this line:',
  '',
  signal,
  '',
  'If something you cannot change stops you, end it with this line instead:',
  blocked,
  `Only the person who wrote the plan may say ${promise} here.`,
].join('\n');
const claimed = (message: string, id = item) => readClaim({ message, item: id, brief });

/** Ways to show a text without saying it. */
const shown: Readonly<Record<string, (text: string) => string>> = {
  'a fence': text => `Then I printed\n\n\`\`\`\n${text}\n\`\`\`\n`,
  'a fence with a language': text => `\`\`\`text\nfirst\n${text}\n\`\`\`\nmore`,
  'a fence of tildes': text => `~~~\n${text}\n~~~`,
  'a long fence with a short one inside': text => `\`\`\`\`md\n\`\`\`\n${text}\n\`\`\`\n${text}\n\`\`\`\``,
  'a fence that never ends': text => `Look:\n\`\`\`sh\n$ ralph\n${text}`,
  'a fence that another kind does not end': text => `\`\`\`\n~~~\n${text}\n`,
  'an indented fence': text => `- a point\n    \`\`\`\n    ${text}\n    \`\`\``,
  'a fence with CRLF': text => `\`\`\`\r\n${text}\r\n\`\`\`\r\n`,
  'inline code': text => `I will print \`${text}\` when it is done.`,
  'inline code with two backticks': text => `It says \`\`${text}\`\` there.`,
  'inline code over two lines': text => `It says \`first\n${text}\nlast\` there.`,
  'inline code alone on its line': text => `\`${text}\``,
  'a blockquote': text => `The task said:\n> ${text}`,
  'a nested blockquote': text => ` > > ${text}`,
  'a comment': text => `<!-- ${text} -->`,
  'a comment over lines': text => `<!--\n\n${text}\n\n-->\nok`,
  'a comment that never ends': text => `<!-- todo\n\n${text}`,
  'indented code': text => `Output:\n\n    ${text}\n`,
  'code indented by a tab': text => `Output:\n\n\t${text}\n`,
  'double quotes': text => `I was told to print "${text}" at the end.`,
  'double quotes alone on a line': text => `"${text}"`,
  'typographic quotes': text => `I was told to print “${text}” at the end.`,
  'typographic quotes with more in them': text => `I was told “end with ${text} and stop” at the end.`,
  'low quotes': text => `Es heißt „${text}“ im Text.`,
  guillemets: text => `Il faut «${text}» à la fin.`,
  'single quotes': text => `I was told to print '${text}' at the end.`,
  'typographic single quotes': text => `I was told to print ‘${text}’ at the end.`,
  JSON: text => JSON.stringify({ type: 'result', message: `Done.\n${text}` }),
  'JSON in JSON': text => JSON.stringify({ line: JSON.stringify({ text }) }),
  'JSON with escaped quotes': text => JSON.stringify({ line: `print " ${text} " last` }),
  'a JSON array': text => `["${text}", "${text}"]`,
  'a quoted test name': text => `  ✓ says "${text}" only once (3 ms)`,
  'a quote after a lone one': text => `A 5" pipe and “${text}” in it.`,
  'a word that only contains it': text => `MY_${text} x`.replace('MY_<promise>', '<promises>'),
};

describe('a text that only shows the words makes no claim', () => {
  const cases = Object.entries(shown).flatMap(([how, show]) =>
    [signal, promise, blocked, question].map(text => [how, text, show(text)] as const),
  );
  it.each(cases)('in %s: %s', (_, __, message) => {
    expect(claimed(message)).toEqual({ type: 'none' });
  });

  it.each([
    'RALPH_TASK_COMPLETE: US-002',
    'RALPH_TASK_COMPLETE: US-0011',
    'RALPH_TASK_COMPLETE: US-001.1',
    'RALPH_TASK_COMPLETE: US-001-b',
    'RALPH_TASK_COMPLETE: us-001',
    'RALPH_TASK_COMPLETE: US-001"',
    'RALPH_TASK_COMPLETE:',
    'All done. RALPH_TASK_COMPLETE: US-001',
    'RALPH_TASK_COMPLETE: US-001 is what I will print once it is done.',
    'RALPH_TASK_COMPLETE: US-001?',
    'When it works I will say RALPH_TASK_COMPLETE: US-001',
    'The task wants RALPH_TASK_BLOCKED: US-001 - no, if there is trouble.',
    'RALPH_TASK_COMPLETE: <id>',
    'RALPH_TASK_COMPLETE US-001',
    'ralph_task_complete: US-001',
    'RALPH_TASK_BLOCKED: US-002 - no',
    'RALPH_TASK_QUESTION: US-002 - no?',
    'RALPH_TASK_QUESTION: US-001',
    'RALPH_TASK_QUESTION: US-001 -',
    'Should I say RALPH_TASK_QUESTION: US-001 - what?',
    '<promise>complete</promise>',
    `I cannot say ${promise} yet.`,
    `Three stories are left, so no ${promise} until they pass.`,
    `I won't output ${promise}, because a test is red.`,
    `Still going. I will say ${promise} later.`,
    `Once the tests are green: ${promise}`,
    '<promise>COMPLETE',
    'COMPLETE',
    'All done, every story passes.',
    '',
  ])('another id or another word: %s', message => {
    expect(claimed(message)).toEqual({ type: 'none' });
  });

  it('in an echo of the brief, whole or in part', () => {
    expect(claimed(brief)).toEqual({ type: 'none' });
    expect(claimed(`I was asked this:\n${brief}\nI have not begun.`)).toEqual({ type: 'none' });
    expect(claimed(brief.split('\n').slice(3, 7).join('\n'))).toEqual({ type: 'none' });
    expect(claimed(brief.replaceAll('\n', '\r\n'))).toEqual({ type: 'none' });
    expect(claimed(brief.replaceAll('\n', '\n\n  '))).toEqual({ type: 'none' });
  });
});

it('a question is a claim of its own: over done, and under blocked', () => {
  const asked = { type: 'question', text: 'which API then?' };
  expect(claimed(`I looked.\n\n**${question}**`)).toEqual(asked);
  expect(claimed(`${question}\n${signal}`)).toEqual(asked);
  expect(claimed(`${signal}\n${question}`)).toEqual(asked);
  expect(claimed(`${question}\n${blocked}`)).toMatchObject({ type: 'blocked' });
});

it('an agent that leaves lines of the form as they are has still claimed', () => {
  const form = '<used>L-...</used>\n\n<lesson kind="gotcha">...</lesson>\n\n';
  const asked = `Use this form.\n\n[one paragraph for the log: what you did]\n\n${form}${signal}`;
  const claim = (message: string) => readClaim({ message, item, brief: asked });
  expect(claim(`I added the function.\n\n${form}${signal}`)).toEqual({ type: 'done', how: 'signal' });
  expect(claim(asked)).toEqual({ type: 'none' });
});

describe('an agent that says it', () => {
  it.each([
    signal,
    `All done.\n\n${signal}`,
    `${signal}.`,
    `${signal}!`,
    `**${signal}**`,
    `**RALPH_TASK_COMPLETE:** ${item}`,
    `- ${signal}`,
    `### ${signal}`,
    `${signal}\r\n`,
    `Tests are green, so:\n${signal}\n\nHave a nice day.`,
    `Changed:\n\`\`\`js\nexport const a = 1;\n\`\`\`\n${signal}`,
    `Changed:\n\`\`\`js\nexport const a = 1;\n\`\`\`\n\n${signal}`,
    `\`\`\`\n<lesson kind="fact">It is so.</lesson>\n\`\`\`\n${signal}`,
    `Done:\n\n${signal}`,
    `${signal}\n\n| a | b |\n|---|---|\n\n\`\`\`\nnpm test\n\`\`\``,
    `1. ${signal}`,
    `- [x] ${signal}`,
    `✅ ${signal} ✅`,
    `${signal}. All tests pass.`,
    `RALPH_TASK_COMPLETE:${item}`,
    `${signal} - added the function`,
    `${signal} — added the function`,
    `I changed \`src/add.js\` and the "add" test.\n${signal}`,
    `I ran:\n\`\`\`\nnpm test\n\`\`\`\n${signal}`,
    `\`\`\`npm test\`\`\` passes.\n\n${signal}`,
    `It's done, don't worry.\n${signal}`,
    `A stray \` backtick and a 5" pipe.\n\n${signal}`,
    `> quoted\n\n${signal}`,
    `<!-- note -->\n${signal}`,
    `  ${signal}`,
    `${brief}\n\nNow it is done:\n${signal}`,
  ])('has claimed: %s', message => {
    expect(claimed(message)).toEqual({ type: 'done', how: 'signal' });
  });

  it.each([
    promise,
    `All done.\n${promise}`,
    `done ${promise}`,
    `${promise}.`,
    `**${promise}**`,
    `It works ${promise} now`,
    `This was not easy. ${promise}`,
    `It is done, and nothing is left ${promise}`,
  ])('has promised: %s', message => {
    expect(claimed(message)).toEqual({ type: 'done', how: 'promise' });
  });

  it.each([
    [blocked, 'the API is gone'],
    [`I tried.\n${blocked}`, 'the API is gone'],
    [`RALPH_TASK_BLOCKED: ${item} – needs \`KEY\` and "a login"`, 'needs `KEY` and "a login"'],
    [`RALPH_TASK_BLOCKED: ${item}: no access`, 'no access'],
    [`**RALPH_TASK_BLOCKED: ${item} - no access**`, 'no access'],
    [`RALPH_TASK_BLOCKED: ${item}`, 'the agent gave no reason'],
    [`${signal}\n${blocked}`, 'the API is gone'],
    [`${blocked}\n${promise}`, 'the API is gone'],
  ])('is blocked: %s', (message, why) => {
    expect(claimed(message)).toEqual({ type: 'blocked', why });
  });

  it('gives a reason of bounded length', () => {
    const claim = claimed(`RALPH_TASK_BLOCKED: ${item} - ${'because '.repeat(5000)}`);
    expect(claim.type === 'blocked' && claim.why.length).toBeLessThanOrEqual(500);
  });

  it('may have an id with marks or spaces in it', () => {
    for (const id of ['2.1', 'a/b', 'Fix the (old) parser', 'x*y', '任务-1']) {
      expect(claimed(`RALPH_TASK_COMPLETE: ${id}`, id).type).toBe('done');
    }
  });
});

it('takes linear time, whatever the text', () => {
  const size = 64 * 1024;
  const fillers = [
    '`',
    '``` ',
    '`\n',
    '"',
    '“',
    '<!--',
    '-->',
    '>',
    ' ',
    '\t',
    '\n',
    '\\"',
    '*',
    '~~~\n',
    '`\u2028',
    '"\\',
  ];
  fillers.push(
    'RALPH_TASK_COMPLETE: ',
    `${signal}"`,
    '<promise>',
    '“"„«',
    '`a``b```c',
    'RALPH_TASK_BLOCKED: US-001***',
  );
  for (const filler of fillers) {
    const text = filler.repeat(Math.ceil(size / filler.length));
    readClaim({ message: `${text}\n\n${promise}`, item, brief: text });
    readClaim({ message: `${'`'.repeat(size)}\u2028 ${promise}`, item, brief: text });
  }
  // About 50 ms each on a slow machine; quadratic time would be minutes, which no test is given.
});
