/** The quick reader of YAML against the full parser: what it reads at all, it reads the same, place by place. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { readBlockYaml } from '../../src/plan/sprint/block-yaml.ts';
import { readFullYaml } from '../../src/plan/sprint/full-yaml.ts';
import type { YamlNode } from '../../src/plan/sprint/nodes.ts';

const RUNS = Number(process.env.RALPH_PROPERTY_RUNS ?? 2000);

/** Where the quick reader says nothing, nothing can be wrong. */
function agrees(text: string): void {
  const quick = readBlockYaml(text);
  if (quick) expect(readFullYaml(text)).toEqual({ ok: true, value: plain(quick) });
}

/** Entries of a list are parsed only when they are asked for. */
function plain(node: YamlNode): YamlNode {
  switch (node.type) {
    case 'scalar':
      return { type: 'scalar', value: node.value, start: node.start, end: node.end };
    case 'seq':
      return { ...node, items: node.items.map(plain) };
    case 'map':
      return {
        type: 'map',
        flow: node.flow,
        start: node.start,
        end: node.end,
        items: node.items.map(({ key, value }) => ({ key: plain(key), value: value && plain(value) })),
      };
    case 'other':
      return node;
  }
}

const words = fc.oneof(
  fc.constantFrom(
    ...['pending', 'null', 'true', '~', '3', '1.10', '0x1f', '007', '-1', '.5', '1e3', '2026-01-16T10:30:00Z', '1.2.3'],
    ...[
      "it's",
      '"said"',
      'a: b',
      'a #b',
      'a # b',
      '# x',
      '- x',
      '? x',
      '& a',
      '*a',
      '!!str',
      '@x',
      '`x`',
      '%x',
      '|',
      '>-',
    ],
    ...[
      '[a, b]',
      '{ a: b }',
      '[]',
      '{}',
      'ends:',
      ' lead',
      'trail ',
      'tab\there',
      'Grüße',
      '日本',
      '🙂',
      '',
      '<<',
      '=',
      '---',
    ],
    ...[
      'two\nlines',
      'two\n\nparts\n',
      '\nfirst blank',
      'x\n  in\n\tout\n',
      '  in\nout',
      'trailing\n\n\n',
      'a\n \nb',
      'x\n# y\n',
    ],
  ),
  fc.string({ maxLength: 12 }),
  fc.integer(),
  fc.double({ noNaN: true }),
  fc.boolean(),
  fc.constant(null),
);

const keys = fc.constantFrom(
  'id',
  'status',
  'prompt',
  'steps',
  'phases',
  'sub-phase',
  'completed-at',
  'true',
  'a b',
  '"q"',
);
const tree = fc.letrec<{ node: unknown; map: unknown }>(tie => ({
  node: fc.oneof({ depthSize: 'small' }, words, fc.array(tie('node'), { maxLength: 3 }), tie('map')),
  map: fc.dictionary(keys, tie('node'), { maxKeys: 4 }),
})).map;

const layout = fc.record({
  lineWidth: fc.constantFrom(0, 20),
  singleQuote: fc.boolean(),
  indentSeq: fc.boolean(),
  indent: fc.constantFrom(1, 2, 4),
  blockQuote: fc.constantFrom<('literal' | 'folded' | false)[]>('literal', 'folded', false),
});

test('data as programs write it', () => {
  fc.assert(
    fc.property(tree, layout, (data, options) => agrees(stringify(data, options))),
    { numRuns: RUNS },
  );
});

const pieces = fc.constantFrom(
  ...[
    'id: a',
    'status:',
    'status: ',
    'steps:',
    'prompt: |',
    'prompt: |-',
    'prompt: |+',
    'prompt: >',
    'prompt: |2',
    'prompt: | # c',
  ],
  ...[
    '- id: b',
    '- c',
    '-',
    '- ',
    '- |',
    '-  far: x',
    '- - d',
    '- "q"',
    "- 'it''s'",
    '- [x]',
    '- {}',
    '# comment',
    'words only',
  ],
  ...[
    'a: "x\\ty"',
    'a: "x',
    'a: "x\\',
    "a: 'x",
    'b: x # y',
    'b: x#y',
    'c: &anchor x',
    'c: *anchor',
    '<<: *a',
    'd: !!int 3',
    'e: x: y',
  ],
  ...[
    '---',
    '...',
    '%YAML 1.2',
    '<<<<<<< ours',
    '=======',
    '>>>>>>> theirs',
    '? k',
    ': v',
    '\tt: x',
    'f:\tx',
    'g: x\t',
    'h: []',
    'i: {}',
  ],
  ...[
    'j: [',
    'k: 2026-01-16',
    'l: 0o17',
    'm: null',
    'n: "\\u00e9\\ud83d"',
    'true: x',
    'null: x',
    '',
    ' ',
    '   ',
    'o: x  ',
    'p: x\r',
    '\ufeff',
  ],
);
const SPRINT = `# Compiled.
sprint-id: "2026-01-16_x"
status: in-progress # by hand
phases:
  - id: development
    steps:
    - id: step-0
      prompt: |
        Do this: "all" of it.

          - [ ] a box # no comment
      # a note
      status: 'completed'
      phases:
        - id: plan
          completed-at: 2026-01-16T10:30:00Z
          verify: []
          error: "line\\none"
          started-at:
        - id: qa
          prompt: |-
            check
            it
current: {}
`;

test('a file of a sprint is read by the quick reader, and changes of one character agree or fall back', () => {
  expect(readBlockYaml(SPRINT)).toBeDefined();
  expect(readBlockYaml(SPRINT.trimEnd())).toBeDefined();
  agrees(SPRINT);
  fc.assert(
    fc.property(
      fc.nat(SPRINT.length),
      fc.nat(3),
      fc.constantFrom(
        '',
        ' ',
        '\n',
        '\t',
        ':',
        '#',
        '-',
        '"',
        "'",
        '|',
        '[',
        '{',
        '&',
        '\r\n',
        '  ',
        ': ',
        '- ',
        ' #',
        'x',
      ),
      (at, cut, put) => agrees(SPRINT.slice(0, at) + put + SPRINT.slice(at + cut)),
    ),
    { numRuns: RUNS },
  );
});

const strange = fc
  .tuple(fc.constantFrom(0, 1, 2, 4, 6, 8, 10, 12), pieces)
  .map(([indent, piece]) => ' '.repeat(indent) + piece);
const insertions = fc.array(fc.tuple(fc.nat(SPRINT.split('\n').length), strange), { minLength: 1, maxLength: 3 });

test('strange lines anywhere in it agree or fall back', () => {
  fc.assert(
    fc.property(insertions, fc.constantFrom('\n', '\n', '\n', '\r\n'), (added, eol) => {
      const lines = SPRINT.split('\n');
      for (const [at, line] of added) lines.splice(at, 0, line);
      agrees(lines.join(eol));
    }),
    { numRuns: RUNS },
  );
});

test('strange lines alone agree or fall back', () => {
  fc.assert(
    fc.property(fc.array(strange, { maxLength: 6 }), lines => agrees(['a: b', ...lines, ''].join('\n'))),
    { numRuns: RUNS },
  );
});

test.each([
  ['an anchor', 'a: &x 1\nb: *x\n'],
  ['a flow list', 'a: [b, c]\n'],
  ['a tab', 'a:\tb\n'],
  ['a folded block', 'a: >\n  b\n'],
  ['a scalar over two lines', 'a: b\n  c\n'],
  ['a key twice', 'a: b\na: c\n'],
  ['a second document', 'a: b\n---\nc: d\n'],
  ['other line ends', 'a: b\r\nc: d\r\n'],
  ['an unknown escape', 'a: "\\x41"\n'],
  ['a merge conflict', '<<<<<<< ours\na: b\n=======\n'],
])('%s is left to the full parser', (_name, text) => {
  expect(readBlockYaml(text)).toBeUndefined();
});

/** Entries as the compiler writes them, now and then with something that is not so plain. */
const entry = fc
  .record({
    id: fc.constantFrom('plan', 'step-1', 'NULL', 'True', 'nullable', 'a b', '3', 'qa'),
    status: fc.constantFrom('pending', 'completed', 'in-progress', 'null', 'pending # here', '"pending"', ''),
    times: fc.subarray([
      "started-at: '2026-01-16T10:30:00Z'",
      "completed-at: '2026-01-16T10:31:00Z'",
      'retry-count: 2',
    ]),
    prompt: fc.constantFrom(
      undefined,
      'Do it.',
      'Do it.\n\nThen this:\n  - id: inner\n    status: pending\n\nEnd.',
      '  first is further in\nthan the second',
      '\nafter an empty line',
      'with spaces\n   \nbetween',
      'a\ttab\n\tand one before',
    ),
    strip: fc.boolean(),
    order: fc.constantFrom('as written', 'prompt first', 'id twice'),
    after: fc.constantFrom('', '\n', '# said\n', '\n\n'),
  })
  .map(({ id, status, times, prompt, strip, order, after }) => {
    const block =
      prompt === undefined
        ? []
        : [[`prompt: |${strip ? '-' : ''}`, ...prompt.split('\n').map(line => line && `  ${line}`)].join('\n')];
    const fields = [`id: ${id}`, `status: ${status}`, ...times, ...block];
    const ordered =
      order === 'prompt first' ? fields.toReversed() : order === 'id twice' ? [...fields, 'id: again'] : fields;
    const lines = ordered.flatMap(field => field.split('\n'));
    return `${lines.map((line, index) => (line === '' ? '' : `${index === 0 ? '  - ' : '    '}${line}`)).join('\n')}\n${after}`;
  });

test('entries that are seen at a glance are those that the full parser reads', () => {
  let read = 0;
  fc.assert(
    fc.property(
      fc.array(entry, { minLength: 1, maxLength: 4 }),
      fc.constantFrom('', 'stats:\n  total: 3\n'),
      (entries, rest) => {
        const text = `phases:\n${entries.join('')}${rest}`;
        if (readBlockYaml(text)) read += 1;
        agrees(text);
      },
    ),
    { numRuns: RUNS },
  );
  expect(read).toBeGreaterThan(RUNS / 100);
});
