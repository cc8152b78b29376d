/** The scripted agent's program: `script-agent.js <scenario>`, one JSON event per line on standard output. */
import { readText } from '../util/files.ts';
import { describeFailure, fail, type Result } from '../util/result.ts';
import { entryFor, readScenario, type Scenario, type ScriptedClaim } from './scenario.ts';
import { type Ended, fill, type Place, takeStep } from './script-steps.ts';

const place: Place = {
  item: process.env.RALPH_ITEM ?? '',
  attempt: process.env.RALPH_ATTEMPT ?? '1',
  iteration: process.env.RALPH_ITERATION ?? '1',
  try: process.env.RALPH_TRY ?? process.env.RALPH_ATTEMPT ?? '1',
};

/** Resolves when the line is with the reader: an exit must not cut it off. */
function print(event: Readonly<Record<string, unknown>>): Promise<void> {
  return new Promise(resolve => process.stdout.write(`${JSON.stringify(event)}\n`, () => resolve()));
}

async function main(): Promise<number> {
  // The brief is not needed, but whoever writes it must not find a closed pipe. A hung-up reader ends this program.
  process.stdin.on('error', () => {}).resume();
  process.stdout.on('error', () => process.exit(1));
  const file = process.argv[2] ?? '';
  const scenario = await load(file);
  if (!scenario.ok) return refuse(describeFailure(scenario.error));
  const entry = entryFor(scenario.value, place.item, Number(place.try));
  if (!entry) return refuse(`${file}: nothing for item "${place.item}", and no entry "*"`);
  for (const step of entry.steps) {
    const ended: Ended | undefined = await takeStep(step, { place, print });
    if (ended) return ended.code;
  }
  const words = [fill(entry.message, place), claimLine(entry.claim)].filter(Boolean).join('\n\n');
  await print({ type: 'text', text: words });
  await print({ type: 'result', message: words });
  return 0;
}

async function refuse(message: string): Promise<number> {
  await print({ type: 'error', class: 'validation', message });
  return 2;
}

function claimLine(claim: ScriptedClaim): string {
  switch (claim.type) {
    case 'done':
      return `RALPH_TASK_COMPLETE: ${place.item}`;
    case 'promise':
      return '<promise>COMPLETE</promise>';
    case 'blocked':
      return `RALPH_TASK_BLOCKED: ${place.item} - ${fill(claim.why, place)}`;
    case 'none':
      return '';
  }
}

async function load(file: string): Promise<Result<Scenario>> {
  const text = readText(file);
  if (text === undefined) return fail({ reason: 'scenario-missing', message: 'the scenario cannot be read', file });
  try {
    return readScenario(await parse(text), file);
  } catch (error) {
    return fail({
      reason: 'scenario-unparseable',
      message: String(error instanceof Error ? error.message : error),
      file,
    });
  }
}

/** JSON needs no library, and most scenarios of programs are JSON. */
async function parse(text: string): Promise<unknown> {
  if (text.trimStart().startsWith('{')) {
    try {
      return JSON.parse(text);
    } catch {
      // A YAML flow mapping begins with a brace, too; its parser also names the line.
    }
  }
  const yaml = await import('yaml');
  return yaml.parse(text);
}

process.exit(await main());
