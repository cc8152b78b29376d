/** Marks that an agent set in files that are not the run's plan but could be the plan of a later run, which would take them for a person's. */
import { join } from 'node:path';
import { closedIn } from '../plan/index.ts';
import type { Finding, GuardInput } from '../protocol.ts';
import { MARKS_ELSEWHERE } from '../state.ts';
import { firstFew } from '../util/show.ts';

const SHOWN = 5;

export const otherMarks = (root: string, { changes, text }: Pick<GuardInput, 'changes' | 'text'>): readonly Finding[] =>
  changes.flatMap(({ path, kind }): readonly Finding[] => {
    const both = kind === 'modified' && /\.(?:md|json|ya?ml)$/i.test(path) ? text?.(path) : undefined;
    const closed = both ? closedIn({ path: join(root, path), ...both }) : [];
    if (closed.length === 0) return [];
    const message = `marked ${firstFew(closed, SHOWN)} done in ${path}, which is not the plan of this run; a run of it would skip ${closed.length === 1 ? 'it' : 'them'}`;
    return [{ rule: MARKS_ELSEWHERE, level: 'warn', message, path }];
  });
