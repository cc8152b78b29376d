/** `github:owner/repo#label`, `gitlab:group/project%milestone`: which issues form a plan, and where their copy is kept. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { SourceQuery } from '../../protocol.ts';
import { type Failure, fail, ok, type Result } from '../../util/result.ts';
import { nearest } from '../../util/suggest.ts';

export interface Address extends SourceQuery {
  readonly scheme: string;
}

/** The built-in trackers. */
export const OWN_SCHEMES = ['github', 'gitlab'];

const SHAPE = /^([a-z][a-z0-9-]*):([^\s#%]+)(?:#([^%]+))?(?:%(.+))?$/;

/** Whether a word is the address of a tracker; a path with a colon starts differently. */
export const isAddress = (text: string, schemes: readonly string[] = OWN_SCHEMES): boolean =>
  schemes.some(scheme => text.startsWith(`${scheme}:`)) && !/^[a-z]+:\s/.test(text);

export function readAddress(text: string): Result<Address> {
  const [, scheme = '', project = '', label, milestone] = SHAPE.exec(text.trim()) ?? [];
  const parts = project.split('/');
  if (scheme === '' || parts.length < 2 || parts.some(part => !/^\w[\w.~-]*$/.test(part))) return fail(malformed(text));
  if (label === undefined && milestone === undefined) {
    return fail<Failure>({
      reason: 'tracker-address',
      message: `${text} names no label and no milestone, so every open issue would be worked on`,
      hint: `Name one: ralph run '${scheme}:${project}#LABEL', or: ralph run ${scheme}:${project} --milestone NAME`,
    });
  }
  return ok({
    scheme,
    project,
    ...(label === undefined ? {} : { label: label.trim() }),
    ...(milestone === undefined ? {} : { milestone: milestone.trim() }),
  });
}

export const showAddress = ({ scheme, project, label, milestone }: Address): string =>
  `${scheme}:${project}${label === undefined ? '' : `#${label}`}${milestone === undefined ? '' : `%${milestone}`}`;

export const trackersFolder = (ralph: string): string => join(ralph, 'trackers');

/** The path of the copy; the hash distinguishes addresses with the same slug. */
export function copyFile(ralph: string, address: Address): string {
  const shown = showAddress(address);
  const words = shown.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  const hash = createHash('sha256').update(shown).digest('hex').slice(0, 6);
  return join(trackersFolder(ralph), `${words.slice(0, 60).replace(/-+$/, '')}-${hash}.json`);
}

/** The path of the outbox, which holds undelivered updates. */
export const outboxFile = (copy: string): string => copy.replace(/([^/]+)$/, 'outbox/$1');

function malformed(text: string): Failure {
  const scheme = text.split(':', 1)[0] ?? '';
  const meant = OWN_SCHEMES.includes(scheme) ? scheme : (nearest(scheme, OWN_SCHEMES) ?? 'github');
  const project = meant === 'gitlab' ? 'group/project' : 'owner/repo';
  return {
    reason: 'tracker-address',
    message: `"${text}" names no issues`,
    hint: `Write it like this: ralph run '${meant}:${project}#LABEL'`,
  };
}
