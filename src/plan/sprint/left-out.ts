/** Steps added to SPRINT.yaml after it was compiled: nobody would do them, and the sprint would still end as complete. */
import type { Problem } from '../../protocol.ts';
import type { YamlMap } from './nodes.ts';
import type { Progress } from './progress.ts';
import { type ItemSource, readSprint } from './source.ts';
import { nodeOf, startOf, wordOf } from './yaml.ts';

export function leftOut({ yaml, groups, leaves }: Progress, source: string): readonly Problem[] {
  const sprint = source === '' ? undefined : readSprint(source, '');
  if (!sprint?.ok) return [];
  const steps = [...groups, ...leaves].filter(({ kind }) => kind === 'step').map(({ map }) => map);
  const known = new Set(steps.flatMap(step => [idOf(step), promptOf(step)]));
  const isKnown = ({ id, prompt }: ItemSource) => known.has(`id ${id}`) || known.has(`prompt ${prompt.trim()}`);
  // If no item of a collection is known, the workflow does not use that collection; the compiler has warned about it.
  const used = [...sprint.value.collections.values()].filter(items => items.some(isKnown));
  const missing = used.flat().filter(item => !isKnown(item));
  if (missing.length === 0) return [];
  const ids = missing.map(({ id }) => id).join(', ');
  const message = `SPRINT.yaml has steps that are not in this file and so are not worked on: ${ids}; add them here, or start over with ralph compile --force`;
  return [{ level: 'warning', ...yaml.place(startOf(nodeOf(yaml.root, 'phases'))), message }];
}

const idOf = (step: YamlMap): string => `id ${wordOf(step, 'id')}`;
const promptOf = (step: YamlMap): string => `prompt ${wordOf(step, 'prompt').trim()}`;
