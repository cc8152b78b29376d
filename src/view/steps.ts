/** What an agent did, as readable steps: the same model as `ralph logs`, in the page's wording. */
import { parseSignal, type ToldSignal } from '../journal/index.ts';
import { type Step, transcript } from '../report/index.ts';
import type { StepView } from './types/iteration.ts';

type Verb = NonNullable<StepView['verb']>;

/** Tools of all agents by what they do; an unknown tool is shown by its own name. */
const VERBS: Readonly<Record<Verb, RegExp>> = {
  Read: /^(read|read_?file|view|cat|open|notebook_?read|read_many_files|ls|list(_?(dir|files|directory))?)$/i,
  Search: /^(grep|glob|search|find|rg|search_file_content|codebase_search|find_files)$/i,
  Edit: /^(edit|append|multi_?edit|replace|str_replace(_\w+)?|apply_?patch|patch|update|notebook_?edit)$/i,
  Write: /^(write|write_?file|create|create_?file|delete|remove)$/i,
  Run: /^(bash|shell|exec|run|command|run_?(shell_?)?command|terminal|execute|local_shell)$/i,
  Fetch: /^(web_?fetch|fetch|web_?search|google_web_search|browser)$/i,
  Plan: /^(todo_?write|todo_?read|update_?plan|plan|exit_?plan_?mode)$/i,
  Agent: /^(task|agent|sub_?agent|spawn_agent)$/i,
};

const verbOf = (tool: string): Verb | null =>
  (Object.entries(VERBS) as [Verb, RegExp][]).find(([, names]) => names.test(tool))?.[0] ?? null;

export function stepView(step: Step): StepView {
  const { kind, at, depth, tool, failed, more, usage } = step;
  return {
    kind,
    at: at === undefined || Number.isNaN(at) ? null : at,
    depth,
    verb: kind === 'tool' ? verbOf(tool ?? '') : null,
    tool: tool ?? null,
    text: step.text,
    count: 1,
    failed: failed ?? false,
    more: more ?? 0,
    tokens: usage ? usage.inputTokens + usage.outputTokens : null,
  };
}

/** Joins repeated calls of a tool on the same thing to one line with a count. */
export function joinSteps(steps: readonly StepView[]): readonly StepView[] {
  const joined: StepView[] = [];
  for (const step of steps) {
    const last = joined.at(-1);
    const isSame =
      last?.kind === 'tool' &&
      step.kind === 'tool' &&
      last.tool === step.tool &&
      last.text === step.text &&
      last.depth === step.depth;
    if (last && isSame)
      joined[joined.length - 1] = { ...last, count: last.count + 1, tokens: step.tokens ?? last.tokens };
    else joined.push(step);
  }
  return joined;
}

/** Steps of the agent that began at `since`; older signals are from one that was cut off and had the same number. */
export function stepsOf(signals: Iterable<ToldSignal>, since: number): readonly StepView[] {
  const agent = transcript();
  const steps: StepView[] = [];
  for (const { signal, at } of signals) {
    if (at !== undefined && at < since) continue;
    for (const step of agent.take(signal, at)) steps.push(stepView(step));
  }
  return joinSteps(steps);
}

export const signalsIn = (lines: readonly string[]): readonly ToldSignal[] =>
  lines.flatMap(line => parseSignal(line) ?? []);
