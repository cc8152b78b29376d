/** The scripted agent's program: `script-agent.cjs <scenario>`, one JSON event per line on standard output. */
import { readText } from '../util/files.ts';
import { describeFailure, errorText, fail, type Result } from '../util/result.ts';
import { entryFor, type ReviewEntry, readScenario, type Scenario, type ScriptedClaim, type Step } from './scenario.ts';
import { type Ended, fill, type Place, takeStep } from './script-steps.ts';

const place: Place = {
  item: process.env.RALPH_ITEM ?? '',
  attempt: process.env.RALPH_ATTEMPT ?? '1',
  iteration: process.env.RALPH_ITERATION ?? '1',
  try: process.env.RALPH_TRY ?? process.env.RALPH_ATTEMPT ?? '1',
};

const isReviewer = process.env.RALPH_ROLE === 'review';

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
  const played = partIn(scenario.value);
  if (!played)
    return refuse(`${file}: nothing for ${isReviewer ? 'a review of ' : ''}item "${place.item}", and no entry "*"`);
  for (const step of played.steps) {
    const ended: Ended | undefined = await takeStep(step, { place, print });
    if (ended) return ended.code;
  }
  const words = [fill(played.message, place), played.last].filter(Boolean).join('\n\n');
  await print({ type: 'text', text: words });
  await print({ type: 'result', message: words });
  return 0;
}

interface Part {
  readonly steps: readonly Step[];
  readonly message: string;
  /** The last words: a claim, or a reviewer's verdict. */
  readonly last: string;
}

function partIn({ items, reviews }: Scenario): Part | undefined {
  const nth = Number(place.try);
  if (isReviewer) {
    const entry = entryFor(reviews, place.item, nth);
    return entry && { ...entry, last: reviewLines(entry) };
  }
  const entry = entryFor(items, place.item, nth);
  return entry && { ...entry, last: claimLine(entry.claim) };
}

function reviewLines({ verdict, findings }: ReviewEntry): string {
  if (verdict === 'none') return '';
  const said = findings.map(text => `<finding severity="high">${fill(text, place)}</finding>`);
  return [`<review verdict="${verdict}">`, ...said, '</review>'].join('\n');
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
    case 'question':
      return `RALPH_TASK_QUESTION: ${place.item} - ${fill(claim.text, place)}`;
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
      message: errorText(error),
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

// Not a top-level await: the program is built as CommonJS, which has none.
void main().then(code => process.exit(code));
