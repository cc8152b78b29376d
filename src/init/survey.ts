/** What can be known about a repository without asking anyone. */
import { basename, relative, sep } from 'node:path';
import { detectGates, detectLanguage } from '../config/detect.ts';
import { findConfig } from '../config/find.ts';
import { findPlan, openPlan } from '../plan/open.ts';
import type { FormatName } from '../protocol.ts';

export interface Survey {
  readonly project: string;
  readonly language: string | undefined;
  readonly gates: readonly string[];
  /** The plan that is here already, relative to the root. */
  readonly plan: { readonly path: string; readonly format: FormatName } | undefined;
  /** The config that is here already, relative to the root. */
  readonly config: string | undefined;
}

export function survey(root: string): Survey {
  const inside = (path: string) => relative(root, path).split(sep).join('/');
  const found = findPlan(root);
  const plan = found === undefined ? undefined : openPlan(found);
  const config = findConfig(root);
  return {
    project: basename(root) || 'project',
    language: detectLanguage(root),
    gates: detectGates(root),
    plan: found !== undefined && plan?.ok ? { path: inside(found), format: plan.value.plan.format } : undefined,
    config: config === undefined ? undefined : inside(config),
  };
}
