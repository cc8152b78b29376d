/** Finds workflows: in the repository's own folders, then among the three that ship with the program. */
import { dirname, join } from 'node:path';
import type { PlanFiles } from '../../protocol.ts';
import bugFix from './workflows/bug-fix.yaml';
import planExecuteVerify from './workflows/plan-execute-verify.yaml';
import testFirst from './workflows/test-first.yaml';

const BUILT_IN: Readonly<Record<string, string>> = {
  'plan-execute-verify': planExecuteVerify,
  'test-first': testFirst,
  'bug-fix': bugFix,
};

export interface Workflows {
  read(name: string): { readonly path: string; readonly text: string } | undefined;
  readonly names: readonly string[];
}

/** The workflows that a sprint folder can use. */
export function workflowsFor(folder: string, files: PlanFiles): Workflows {
  // The nearest wins: a folder of sprints may override a workflow of the repository.
  const bases = [...new Set([folder, dirname(folder), repositoryOf(folder, files) ?? folder])];
  const places = bases.flatMap(base => [join(base, '.claude', 'workflows'), join(base, 'workflows')]);
  return {
    read: name => {
      if (!/^[\w.@-][\w .@/-]*$/.test(name) || name.includes('..')) return undefined;
      for (const place of places) {
        for (const path of [join(place, `${name}.yaml`), join(place, `${name}.yml`)]) {
          const text = files.read(path);
          if (text !== undefined) return { path, text };
        }
      }
      const text = Object.hasOwn(BUILT_IN, name) ? BUILT_IN[name] : undefined;
      return text === undefined ? undefined : { path: `built-in workflow ${name}`, text };
    },
    names: [
      ...new Set([
        ...places.flatMap(place => files.list(place).flatMap(file => /^(.+)\.ya?ml$/.exec(file)?.[1] ?? [])),
        ...Object.keys(BUILT_IN),
      ]),
    ],
  };
}

function repositoryOf(folder: string, files: PlanFiles): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (files.list(at).includes('.git')) return at;
    if (dirname(at) === at) return undefined;
  }
}
