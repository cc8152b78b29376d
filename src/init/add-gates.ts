/** `ralph init --gates`: writes the check commands that a repository already has into its config. */
import { join } from 'node:path';
import { detectGates, readConfig } from '../config/index.ts';
import { readText, writeAtomic } from '../util/files.ts';
import { fail, ok, type Result } from '../util/result.ts';
import { gateLines } from './config-text.ts';

export interface AddedGates {
  readonly gates: readonly string[];
  /** Relative to the root. */
  readonly file: string;
  readonly outcome: 'added' | 'had';
}

const EXAMPLE = 'gates: [npm test]';

/** Adds to the end of a YAML config, or makes one; everything that is there stays byte for byte. */
export function addGates(root: string): Result<AddedGates> {
  const read = readConfig(root);
  if (!read.ok) return read;
  const { config, file } = read.value;
  const name = file === undefined ? 'ralph.yaml' : file.slice(root.length + 1);
  const had = (config.gates ?? []).map(gate => (typeof gate === 'string' ? gate : gate.run));
  if (had.length > 0) return ok({ gates: had, file: name, outcome: 'had' });
  const gates = detectGates(root);
  if (gates.length === 0) {
    return fail({
      reason: 'no-gates-found',
      message:
        'no check commands were found (package.json scripts, Makefile, Cargo, go.mod, pyproject, Gradle, Maven, composer)',
      hint: `Write the command that proves an item done into ${name}, for example: ${EXAMPLE}`,
    });
  }
  if (config.gates !== undefined || name.endsWith('.json')) {
    return fail({
      reason: 'not-written',
      message: 'this file has to be edited by hand',
      hint: `Put this into it: ${name.endsWith('.json') ? `"gates": ${JSON.stringify(gates)}` : `gates: ${JSON.stringify(gates)}`}`,
      file: name,
    });
  }
  const text = (file === undefined ? undefined : readText(file)) ?? '';
  const gap = text === '' ? '' : text.endsWith('\n') ? '\n' : '\n\n';
  writeAtomic(join(root, name), `${text}${gap}${gateLines(gates).join('\n')}\n`);
  return ok({ gates, file: name, outcome: 'added' });
}
