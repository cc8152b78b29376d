/** What a session puts into custody before an agent or a reviewer runs, and how it handles changes found afterwards. */
import {
  type Held,
  heldConfig,
  heldLessons,
  heldOtherPlans,
  heldPlan,
  heldPlanCopy,
  heldToolFiles,
  type ToolFilesFound,
} from '../custody/index.ts';
import { lessonsFile, type SaidLesson } from '../memory/index.ts';
import type { Item } from '../protocol.ts';
import { writeFresh } from '../util/files.ts';
import { runsBeside } from './runs-beside.ts';
import type { Session } from './session.ts';

export const agentThings = (
  session: Session,
  { item, iteration }: { readonly item: Item; readonly iteration: number },
) => {
  const keep = (name: string, bytes: Buffer) => writeFresh(session.fileOf(iteration, name), bytes);
  const { workspace, plan: given, options } = session;
  return {
    toolFiles: heldToolFiles({ workspace, item, to: session.fileOf(iteration, 'left-behind') }),
    plan: heldPlan({ given, link: options.planLink, item: item.id, keep }),
    otherPlans: heldOtherPlans({ root: workspace.root, paths: options.otherPlans, keep }),
    config: heldConfig(options.config),
    lessons: heldLessons({
      file: lessonsOf(session),
      keep,
      own: session.ownLessons,
      isBeside: () => isBeside(session),
    }),
  };
};

/** A reviewer may change nothing; its tree is restored as a whole. */
export const reviewerThings = (session: Session, review: number) => {
  const { planInTree, planLink: link, config } = session.options;
  const file = (name: string) => session.reviewFileOf(review, name);
  const copy = planInTree === undefined ? file('plan.before') : undefined;
  return {
    plan: heldPlanCopy({ path: session.plan.path, link, copy, edited: file('plan.edited') }),
    config: heldConfig(config),
    lessons: heldLessons({
      file: lessonsOf(session),
      keep: (name, bytes) => writeFresh(file(name), bytes),
      own: session.ownLessons,
      isBeside: () => isBeside(session),
    }),
  };
};

/** Whether other runs are live in this repository. */
const isBeside = ({ options }: Session): boolean => runsBeside(options.folder).length > 0;

const lessonsOf = ({ remembering }: Session): string | undefined =>
  remembering && lessonsFile(remembering.memory.place);

export interface AfterAgent {
  /** The agent marked its own item as done in the plan, which counts as a claim. */
  readonly markedOwn: boolean;
  /** Other changes in files that belong to the runner; all of them are restored. */
  readonly edits: readonly string[];
  /** Lessons that the agent wrote into the lessons file instead of its final message. */
  readonly said: readonly SaidLesson[];
}

export async function putBackAfterAgent(
  session: Session,
  held: Held<ReturnType<typeof agentThings>>,
): Promise<AfterAgent> {
  const { toolFiles, plan, otherPlans, config, lessons } = await held.putBack();
  tellToolFiles(session, toolFiles);
  session.plan = plan.plan;
  const { added } = plan;
  session.added = added;
  if (added.length > 0) session.notice('info', `the plan grew by ${added.length}: ${added.slice(0, 5).join(', ')}`);
  const edits = [...plan.edits, ...otherPlans.edits, ...config.edits, ...lessons.edits, ...session.takeReplaced()];
  return { markedOwn: plan.markedOwn, edits, said: lessons.said };
}

function tellToolFiles(session: Session, { moved, stuck }: ToolFilesFound): void {
  for (const [name, why] of stuck) session.notice('warn', `${name} could not be moved out of the tree: ${why}`);
  if (moved.length === 0) return;
  const names = moved.join(', ');
  session.notice('info', `${names}: left behind by the agent's own program, moved to the iteration's folder`);
}
