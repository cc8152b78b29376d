/** The names by which a person means a run: its id, its branch, and its plan by name, file or folder. */
import { dirname, posix } from 'node:path';
import { slug } from '../journal/index.ts';

export interface Named {
  readonly run: string;
  readonly plan: { readonly name: string; readonly path: string };
  readonly branch: string;
}

export function isCalled({ run, plan, branch }: Named, name: string): boolean {
  const names = [run, plan.name, plan.path, dirname(plan.path), branch].filter(each => each !== '');
  return names.includes(name) || names.includes(posix.join(name).replace(/\/$/, ''));
}

/** As `isCalled`, or almost: `night shop` for the plan "Night Shop". */
export const isNearlyCalled = (named: Named, name: string): boolean =>
  isCalled(named, name) || (slug(name) !== '' && slug(named.plan.name) === slug(name));
