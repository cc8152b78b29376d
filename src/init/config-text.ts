/** The first ralph.yaml: what was found out about the project, each key with a word about it. */

export interface ConfigFacts {
  readonly plan: string;
  /** A known agent, or the path of a program; undefined where none was found. */
  readonly agent: string | undefined;
  readonly gates: readonly string[];
}

/** Editors look for a schema by path or address, never by the name of a package. */
const SCHEMA = './node_modules/ralph-runner/schemas/ralph.schema.json';

export function configText({ plan, agent, gates }: ConfigFacts): string {
  const list = gates.length > 0 ? gateLines(gates) : ['# gates:', '#   - npm test'];
  return [
    `# yaml-language-server: $schema=${SCHEMA}`,
    '# How Ralph works in this repository. Every flag of `ralph run` has the same name here.',
    '',
    '# The plan: a file or a folder. `ralph check` shows how it is read.',
    `plan: ${scalar(plan)}`,
    '',
    '# Who does it: claude, codex, or a program of your own as {command: [./my-agent]}.',
    agent === undefined ? '# agent: claude' : `agent: ${scalar(agent)}`,
    '# Without these, the agent uses the defaults of its own settings.',
    '# model: sonnet',
    '# effort: high',
    '',
    '# What proves an item done, the cheapest first: each has to exit 0 on what the agent left.',
    ...list,
    '',
    '# What is too slow for every item: it has to pass before the whole plan counts as done.',
    '# final:',
    '#   - npm run e2e',
    '',
    '# What an agent may never touch.',
    '# guards:',
    '#   forbid: [infra/**]',
    '',
    'limits:',
    '  attempts: 3      # rejections before an item is blocked',
    '  iteration: 45m   # longest time for one agent',
    '  time: 4h         # longest time for one run',
    '  cost: 25         # dollars for one run',
    '',
  ].join('\n');
}

export const gateLines = (gates: readonly string[]): readonly string[] => [
  'gates:',
  ...gates.map(gate => `  - ${scalar(gate)}`),
];

/** Plain where YAML reads it as the same text, else quoted. */
function scalar(text: string): string {
  const safe =
    /^[A-Za-z./][\w ./@=+-]*$/.test(text) && !/^(?:true|false|yes|no|on|off|y|n|null|\.inf|\.nan)$/i.test(text);
  return safe && text.trim() === text ? text : JSON.stringify(text);
}
