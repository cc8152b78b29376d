/** What can be known about a repository without asking anyone. */
import { basename, relative, resolve, sep } from 'node:path';
import { type Config, detectGates, detectLanguage, readConfig } from '../config/index.ts';
import { findPlan, openPlan } from '../plan/index.ts';
import type { FormatName } from '../protocol.ts';
import { ok, type Result } from '../util/result.ts';

export interface Survey {
  readonly project: string;
  readonly language: string | undefined;
  /** Of the config, or else detected. */
  readonly gates: readonly string[];
  /** The plan that is here already, relative to the root. */
  readonly plan: { readonly path: string; readonly format: FormatName } | undefined;
  /** The config that is here already, and what it names. */
  readonly config: Configured | undefined;
}

export interface Configured {
  /** Relative to the root. */
  readonly path: string;
  readonly agent: string | undefined;
  readonly namesPlan: boolean;
}

/** Fails where there is a config that cannot be read: what is missing is not known then. */
export function survey(root: string): Result<Survey> {
  const inside = (path: string) => relative(root, path).split(sep).join('/');
  const read = readConfig(root);
  if (!read.ok) return read;
  const { config, file } = read.value;
  const named = planAt(config.plan === undefined ? undefined : resolve(root, config.plan));
  const plan = named ?? planAt(findPlan(root));
  return ok({
    project: basename(root) || 'project',
    language: detectLanguage(root),
    gates: config.gates?.map(gate => (typeof gate === 'string' ? gate : gate.run)) ?? detectGates(root),
    plan: plan && { ...plan, path: inside(plan.path) },
    config:
      file === undefined ? undefined : { path: inside(file), agent: agentIn(config), namesPlan: named !== undefined },
  });
}

function planAt(path: string | undefined): Survey['plan'] {
  const opened = path === undefined ? undefined : openPlan(path);
  return path !== undefined && opened?.ok ? { path, format: opened.value.plan.format as FormatName } : undefined;
}

function agentIn({ agent, agents }: Config): string | undefined {
  const chosen = agents?.build ?? agent;
  const [first] = Array.isArray(chosen) ? chosen : [chosen];
  return typeof first === 'object' ? (first.use ?? (first.command ?? first.acp)?.join(' ')) : first;
}
