/** Writes a note about a red final gate, for projects that keep one note per bug in `docs/_bugs`. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { GateResult } from '../protocol.ts';
import { dayOf } from '../util/clock.ts';
import { writeOwn } from '../util/files.ts';
import { freeName } from '../util/free-name.ts';
import { gateEnd } from '../util/show.ts';
import { lookAt } from '../util/version.ts';

const FOLDER = 'docs/_bugs';

export interface BugNote {
  readonly root: string;
  readonly gate: GateResult;
  /** The item that fixes it. */
  readonly item: string;
  /** The bounded end of the gate's output. */
  readonly output: string;
  readonly at: number;
}

/** Writes the note and returns its path; undefined if the project keeps no such notes. */
export function writeBugNote(bug: BugNote): string | undefined {
  if (!lookAt(join(bug.root, FOLDER))?.isDirectory()) return undefined;
  const name = `${dayOf(bug.at)}-final-gate-${slug(bug.gate.name)}`;
  const free = freeName(`${FOLDER}/${name}`, each => !existsSync(join(bug.root, `${each}.md`)));
  const path = `${free}.md`;
  writeOwn(join(bug.root, path), noteText(bug));
  return path;
}

const slug = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 40) || 'gate';

function noteText({ gate, item, output }: BugNote): string {
  const fence = '`'.repeat(Math.max(3, ...[...output.matchAll(/`+/g)].map(([run]) => run.length + 1)));
  return [
    `# The final gate ${gate.name} is red`,
    '',
    `\`${gate.run}\` ${gateEnd(gate)} on a fresh checkout of the finished plan. Item ${item} of the plan is there to fix it.`,
    '',
    'The end of what it printed:',
    '',
    fence,
    output,
    fence,
    '',
  ].join('\n');
}
