/** `ralph init`: inspects the repository, asks what it cannot know, writes missing files, and says what is next. */
import { createInterface } from 'node:readline/promises';
import { agentNames, findOnPath } from '../agents/index.ts';
import {
  addGates,
  askFor,
  type Choices,
  FORMATS,
  type Guess,
  guessed,
  type SetUp,
  type Survey,
  setUp,
  survey,
  type Written,
} from '../init/index.ts';
import { wrapText } from '../report/index.ts';
import { type Failure, fail, ok, type Result } from '../util/result.ts';
import { nearest } from '../util/suggest.ts';
import { openRepository } from '../workspace/index.ts';
import { type Call, type Handler, switchFlag, textFlag } from './command.ts';
import { columnsOf, complain, print } from './print.ts';

export const init: Handler = async call => {
  const repository = await openRepository(process.cwd(), process.env);
  if (!repository.ok && !mayBeMade(repository.error)) return complain(repository.error, 4);
  const root = repository.ok ? repository.value.root : process.cwd();
  if (switchFlag(call, 'gates')) return gatesOnly(root);
  const given = readFlags(call);
  if (!given.ok) return complain(given.error);
  const surveyed = survey(root);
  if (!surveyed.ok) {
    const { hint, ...what } = surveyed.error;
    return complain({ ...what, hint: `${hint ? `${hint}\n` : ''}Correct it or move it away, then: ralph init` });
  }
  const found = surveyed.value;
  const asking = process.stdin.isTTY && process.stdout.isTTY && !switchFlag(call, 'yes');
  const agents = ['claude', 'codex'].filter(name => findOnPath(name, process.env) !== undefined);
  const guess: Guess = { ...given.value, found, agents };
  const choices = asking ? await askPerson(guess) : guessed(guess);
  if (choices === undefined) return complain({ reason: 'interrupted', message: 'nothing was written' }, 130);
  print(`${describe(found, choices)}\n\n`);
  const made = setUp({ root, found, choices, at: Date.now() });
  if (!made.ok) return complain(made.error, 4);
  for (const line of rows(made.value.written)) print(line);
  const columns = columnsOf();
  const next = nextSteps(made.value, { choices, hasGit: repository.ok });
  print(columns === undefined ? next : wrapText(next, columns));
  return 0;
};

/** Adds only gates, to a repository that is set up but has none. */
function gatesOnly(root: string): number {
  const added = addGates(root);
  if (!added.ok) return complain(added.error);
  const { gates, file, outcome } = added.value;
  print(`${outcome === 'had' ? `${file} has gates already` : `Added to ${file}`}: ${gates.join(', ')}`);
  if (outcome === 'added') print('\nNext\n  1. ralph doctor   # are they green?\n  2. ralph run');
  return 0;
}
/** Without a repository, `git init` can follow later; if git refuses the repository, nothing is written into it. */
const mayBeMade = ({ reason }: Failure): boolean => reason === 'no-repository' || reason === 'git-missing';

function readFlags(call: Call): Result<Pick<Guess, 'format' | 'agent'>> {
  const [format, agent] = [textFlag(call, 'format'), textFlag(call, 'agent')];
  const known = FORMATS.find(name => name === format);
  if (format !== undefined && known === undefined) return fail(unknown('format', format, FORMATS));
  if (agent !== undefined && !agent.includes('/') && !agentNames.includes(agent)) {
    return fail(unknown('agent', agent, agentNames));
  }
  return ok({ format: known, agent });
}

function unknown(what: string, given: string, known: readonly string[]): Failure {
  const near = nearest(given, known);
  const hint = near ? `Did you mean ${near}?` : `Known: ${known.join(', ')}.`;
  return { reason: 'usage', message: `there is no ${what} "${given}"`, hint };
}

/** Undefined if the person left; a closed terminal never answers, so its end is an event of its own. */
async function askPerson(guess: Guess): Promise<Choices | undefined> {
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  const left = new Promise<undefined>(resolve => lines.once('close', () => resolve(undefined)));
  try {
    return await Promise.race([askFor(guess, text => lines.question(text)), left]);
  } finally {
    lines.close();
  }
}

function describe({ language, plan }: Survey, { agent, gates }: Choices): string {
  return [
    language === undefined ? 'No language was recognised' : `A ${language} project`,
    gates.length > 0 ? `gates: ${gates.join(', ')}` : 'no gates found',
    agent === undefined ? 'no agent on PATH (claude, codex)' : `agent: ${agent}`,
    ...(plan ? [`plan: ${plan.path}`] : []),
  ].join(' · ');
}

const rows = (written: readonly Written[]): readonly string[] =>
  written.map(({ path, outcome }) => `  ${outcome.padEnd(8)} ${path}${outcome === 'kept' ? '  (as it was)' : ''}`);

function nextSteps(
  { written, plan, edit, config, configured }: SetUp,
  { choices, hasGit }: { readonly choices: Choices; readonly hasGit: boolean },
): string {
  // An existing config may name another plan.
  const named = configured ? '' : ` ${plan}`;
  const steps = [
    ...(edit.length === 0 ? [] : [`Edit ${edit.join(' and ')}: what is there now is an example.`]),
    ...(choices.gates.length > 0 ? [] : [`Add gates to ${config}: the commands that prove an item done.`]),
    ...(choices.agent === undefined ? [`Install an agent, or name yours in ${config}.`] : []),
    ...(hasGit ? [] : ['git init']),
    ...(written.every(({ outcome }) => outcome === 'kept') ? [] : ['git add -A && git commit -m "Set up Ralph"']),
    `ralph doctor${named}`,
    `ralph run${named}`,
  ];
  return ['', 'Next', ...steps.map((step, index) => `  ${index + 1}. ${step}`)].join('\n');
}
