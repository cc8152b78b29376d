/** What the demo says before and after its run. */

import { type Paint, shellWord } from '../report/index.ts';
import { singleQuoted } from '../util/shell-word.ts';

export interface Words {
  readonly folder: string;
  readonly paint: Paint;
}

export function greeting({ folder, paint }: Words): string {
  return [
    paint(
      'strong',
      'A tea shop gets its till: five stories, a real loop, real gates, and an agent that follows a script.',
    ),
    'No key, no network, no cost; the tokens and dollars below are made up. It takes under a minute. You will see',
    '  1. a story done and accepted',
    '  2. an agent that says "done" and is wrong: rejected by the tests, fixed on the next attempt',
    '  3. an agent that ticks off stories in the plan instead of working: undone',
    '  4. a rate limit: waited out, not charged',
    '  5. an agent that hangs: ended, and the story done on the next try',
    `in ${folder}`,
    '',
    '',
  ].join('\n');
}

export interface Farewell extends Words {
  /** How this program is called, where the plain name would not find it. */
  readonly alias: string | undefined;
  /** If false, it was interrupted. */
  readonly isComplete: boolean;
}

type Step = readonly [command: string, why: string];

export function farewell({ folder, alias, isComplete, paint }: Farewell): string {
  const made: readonly Step[] = [
    ['node shop.js --pay 5 tea scone', 'the shop that was made'],
    ['git log --stat', 'one commit per story'],
    ['git diff main -- prd.json', 'the plan: only the marks differ'],
    ['git for-each-ref refs/ralph', 'refused attempts: nothing is lost'],
  ];
  const after: readonly Step[] = [
    ['ralph logs 2', 'what the agent did that was wrong'],
    ['ralph merge', 'take the work into main, gates first'],
  ];
  const look: readonly Step[] = [
    [`cd ${shellWord(folder)}`, 'it stays as it is now'],
    ...(alias === undefined ? [] : [[`alias ralph=${singleQuoted(alias)}`, 'until it is installed'] as const]),
    ...(isComplete ? made : [['ralph run', 'continue with the rest'] as const]),
    ['ralph status', 'where the run is'],
    ['ralph items', 'every story: state, attempts, time, cost'],
    ['ralph report', 'every attempt with its evidence'],
    ...(isComplete ? after : []),
  ];
  const own: readonly Step[] = [
    ['ralph doctor', 'would a run start here, and what to fix'],
    ['ralph run prd.json', 'or: ralph run "what to do"'],
  ];
  const clean: readonly Step[] = [[`rm -rf ${shellWord(folder)}`, 'nothing was made anywhere else']];
  const rows = (steps: readonly Step[]) =>
    steps.flatMap(([command, why]) => {
      const comment = paint('dim', `# ${why}`);
      // A command that is longer than its column leaves the comment to the next line: comments stay below each other.
      return command.length > WIDTH
        ? [`  ${command}`, `  ${' '.repeat(WIDTH)}  ${comment}`]
        : [`  ${command.padEnd(WIDTH)}  ${comment}`];
    });
  return [
    '',
    paint('strong', 'Look around'),
    ...rows(look),
    '',
    paint('strong', 'Then in a repository of your own'),
    ...rows(own),
    '',
    paint('strong', 'Clean up'),
    ...rows(clean),
    '',
  ].join('\n');
}

const WIDTH = 31;
