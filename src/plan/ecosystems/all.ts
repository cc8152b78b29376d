/** The plan formats of other tools, the most specific first. */
import type { PlanFormat } from '../../protocol.ts';
import { backlog } from './backlog.ts';
import { beads } from './beads.ts';
import { kiro } from './kiro.ts';
import { openSpec } from './openspec.ts';
import { specKit } from './spec-kit.ts';
import { taskHeadings } from './task-headings.ts';
import { taskMaster } from './task-master.ts';

export const ecosystems: readonly PlanFormat[] = [kiro, openSpec, specKit, taskMaster, backlog, beads, taskHeadings];
