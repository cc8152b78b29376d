/** Issues of beads: read from the file that `bd` exports, and updated through `bd`. */
import type { PlanSource, SourceChange, SourcePlace } from '../protocol.ts';
import { ok, type Result } from '../util/result.ts';
import { callProgram, type Program } from './program.ts';

const bd: Program = { name: 'bd', home: 'https://github.com/steveyegge/beads', isLogin: () => false };

/** The file as the database has it now. */
export async function exportBeads(file: string, place: SourcePlace): Promise<Result<void>> {
  const said = await callProgram(bd, ['export', '-o', file], { place });
  return said.ok ? ok(undefined) : said;
}

export const beads: PlanSource = {
  scheme: 'beads',
  list: async () => ok([]),
  look: async () => ok([]),
  tell,
};

/** A claim is not told: bd would write its file again while an agent works, and the file is the plan. */
async function tell({ issue, to, comment = '' }: SourceChange, place: SourcePlace): Promise<Result<void>> {
  const [reason = ''] = comment.split('\n', 1);
  const call = {
    pending: ['update', issue, '--status', 'open'],
    'in-progress': undefined,
    blocked: ['update', issue, '--status', 'blocked'],
    done: ['close', issue, '--reason', reason],
    closed: ['close', issue, '--reason', reason],
  }[to];
  const said = call ? await callProgram(bd, call, { place }) : ok('');
  return said.ok ? ok(undefined) : said;
}
