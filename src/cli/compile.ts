/** `ralph compile` */

import { dirname, relative, resolve } from 'node:path';
import { compiledShape, compileFolder, diskFiles, sprint } from '../plan/index.ts';
import { writeAtomic } from '../util/files.ts';
import { pathBelow } from '../util/paths.ts';
import { describeFailure, type Failure, fail, ok, type Result } from '../util/result.ts';
import { quoted } from '../util/shell-word.ts';
import { plain, plural } from '../util/show.ts';
import { type Handler, switchFlag } from './command.ts';
import { complain, print } from './print.ts';

export const compile: Handler = async call => {
  const cwd = process.cwd();
  const given = resolve(cwd, call.args[0] ?? '.');
  const json = switchFlag(call, 'json');
  const shown = (failure: Failure): Failure => {
    const { file = '' } = failure;
    const near = pathBelow(cwd, resolve(cwd, file));
    return file === '' || near === undefined ? failure : { ...failure, file: near };
  };
  const refuse = (mistake: Failure) => {
    const failure = shown(mistake);
    if (json) print(JSON.stringify({ ok: false, error: failure }));
    return complain(failure, 2);
  };
  const path = sprint.find(given, diskFiles);
  if (path === undefined) {
    return refuse({
      reason: 'not-a-sprint',
      message: 'there is no SPRINT.yaml here',
      hint: 'Name the folder of a sprint. To make one: ralph init --format sprint',
      file: relative(cwd, given) || '.',
    });
  }
  const file = relative(cwd, path);
  const free = switchFlag(call, 'force') ? ok(undefined) : mayWrite(path);
  if (!free.ok) return refuse(free.error);
  const compiled = compileFolder(path, diskFiles, Date.now());
  if (!compiled.ok) return refuse(compiled.error);
  const { text, warnings } = compiled.value;
  const { items } = sprint.parse(text, path, diskFiles).plan;
  const [first] = items;
  const shape = compiledShape(text);
  writeAtomic(path, text);
  if (json) {
    print(
      JSON.stringify(
        { ok: true, path, ...shape, items: items.length, first: first?.id ?? null, warnings: warnings.map(shown) },
        undefined,
        2,
      ),
    );
    return 0;
  }
  const { phases, steps, subPhases } = shape;
  print(`wrote ${file}: ${plural(phases, 'phase')}, ${plural(steps, 'step')}, ${plural(subPhases, 'sub-phase')}`);
  if (first) print(`first: ${plain(first.id)} (${plain(first.title)})`);
  print(`Next: ralph run ${quoted(dirname(file))}`);
  for (const warning of warnings) process.stderr.write(`${plain(describeFailure(shown(warning)))}\n`);
  return 0;
};

/** Refuses to overwrite a file that records finished work. */
function mayWrite(path: string): Result<void> {
  const text = diskFiles.read(path);
  if (text === undefined) return ok(undefined);
  const { items, problems } = sprint.parse(text, path, diskFiles).plan;
  const error = problems.find(({ level }) => level === 'error');
  const begun = items.filter(item => item.status !== 'pending').length;
  if (!error && begun === 0) return ok(undefined);
  return fail<Failure>({
    reason: 'has-progress',
    message: error
      ? `there is a PROGRESS.yaml that cannot be read: ${error.message}`
      : `there is progress: ${begun} of ${plural(items.length, 'item')} begun or done`,
    file: path,
    hint: 'Nothing was written. --force starts over.',
  });
}
