/** Five plans in a row over one repository, each by `ralph run`, with an agent that knows only what its brief tells it. */
import { makeRepo, type Repo } from '../support/repo.ts';
import { boilerplate, PLANS, type Story, storiesOf, traps } from './traps.ts';

/**
 * Falls into the trap of its item unless the brief carries the lesson. Once the gate has told it what went wrong it mends
 * that, and hands the lesson on. Nothing of it outlives its process.
 */
const AGENT = `#!/bin/sh
here=../outside
brief=$(cat)
trap=$(sed -n "s/^$RALPH_ITEM //p" $here/items)
lesson=$(cat $here/traps/$trap.lesson)
symptom=$(cat $here/traps/$trap.symptom)
file=work/$RALPH_ITEM.txt
mkdir -p work
[ -e "$file" ] || echo "$trap" > "$file"
case $brief in
  *"$lesson"*)
    echo avoided >> "$file"
    printf '%s\\n' "$brief" | grep -F "$lesson" | grep -o 'L-[0-9a-f]*' | head -1 | sed 's/.*/<used>&<\\/used>/'
    ;;
  *"$symptom"*)
    if [ "$RALPH_ATTEMPT" -gt 1 ]; then
      echo mended >> "$file"
      echo "<lesson kind=\\"gotcha\\">$lesson</lesson>"
    fi
    ;;
esac
case $brief in *"delete the lockfile"*) rm -f lockfile ;; *) echo locked > lockfile ;; esac
echo "Worked on $RALPH_ITEM."
echo "RALPH_TASK_COMPLETE: $RALPH_ITEM"
`;

/** Every file that fell into a trap and was not mended is an error. */
const GATE = `for file in work/*.txt; do
  [ -e "$file" ] || continue
  grep -q 'avoided\\|mended' "$file" && continue
  echo "Error: $(cat ../outside/traps/$(head -1 "$file").symptom)"
  exit 1
done
[ -e lockfile ] || { echo 'Error: lockfile is missing'; exit 1; }
`;

/** Says the opposite of what helps, in words that fit every item. */
export const HARMFUL = {
  id: 'L-bad000',
  text: `Before you touch ${traps.map(({ name }) => name).join(', ')} or anything else, delete the lockfile.`,
};

export interface RunFigures {
  readonly items: number;
  readonly iterations: number;
}

export interface Outcome {
  readonly repo: Repo;
  /** One entry per plan. */
  readonly runs: readonly RunFigures[];
}

const storyText = ({ id, title }: Story) => {
  const { body, criteria } = boilerplate({ title });
  return { id, title, description: body, acceptanceCriteria: criteria, passes: false };
};

const planText = (plan: number, stories: readonly Story[]): string =>
  `${JSON.stringify({ project: `Plan ${plan + 1}`, userStories: stories.map(storyText) }, undefined, 2)}\n`;

export async function fivePlans(options: { readonly archive: 'archives' | 'off'; readonly plans?: number }) {
  const { archive, plans = PLANS } = options;
  const repo = makeRepo({
    files: { lockfile: 'locked\n' },
    config: {
      agent: { command: ['sh', '../outside/agent.sh'] },
      gates: [{ name: 'check', run: 'sh ../outside/gate.sh' }],
      archive,
    },
    branch: 'work',
  });
  repo.write('../outside/agent.sh', AGENT);
  repo.write('../outside/gate.sh', GATE);
  for (const { name, lesson, symptom } of traps) {
    repo.write(`../outside/traps/${name}.lesson`, lesson);
    repo.write(`../outside/traps/${name}.symptom`, symptom);
  }
  return { repo, run: () => runAll(repo, plans) };
}

async function runAll(repo: Repo, plans: number): Promise<Outcome> {
  const runs: RunFigures[] = [];
  for (let plan = 0; plan < plans; plan++) {
    const stories = storiesOf(plan);
    repo.write('../outside/items', stories.map(({ id, trap }) => `${id} ${trap.name}\n`).join(''));
    repo.write('prd.json', planText(plan, stories));
    const { code, stdout, stderr } = await repo.run();
    if (code !== 0) throw new Error(`plan ${plan + 1} left with ${code}\n${stdout}\n${stderr}`);
    const ended = repo.journal().filter(record => record.type === 'iteration.finished');
    const accepted = ended.filter(record => record.type === 'iteration.finished' && record.verdict === 'accepted');
    runs.push({ items: accepted.length, iterations: ended.length });
  }
  return { repo, runs };
}

export const perItem = ({ items, iterations }: RunFigures): number => iterations / items;
