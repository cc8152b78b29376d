/** `ralph demo` */
import { realpathSync } from 'node:fs';
import { findOnPath } from '../agents/index.ts';
import { commented, demoEnvironment, demoFolder, farewell, greeting, makeRepository } from '../demo/index.ts';
import { Stopper } from '../process/index.ts';
import { painter, shellWord, wrapText } from '../report/index.ts';
import { run } from '../run.ts';
import { type Handler, switchFlag, textFlag } from './command.ts';
import { columnsOf, complain, print, wantsColor } from './print.ts';
import { openView, showResult } from './run.ts';
import { onSignals } from './signals.ts';

export const demo: Handler = async call => {
  const keep = textFlag(call, 'keep');
  const made = demoFolder(keep);
  if (!made.ok) return complain(made.error, keep === undefined ? 4 : 2);
  const folder = made.value;
  const env = demoEnvironment(folder, process.env);
  const repository = await makeRepository(folder, env);
  if (!repository.ok) return complain(repository.error, 4);

  const json = switchFlag(call, 'json');
  const words = { folder, paint: painter({ color: wantsColor() }) };
  if (json) process.stderr.write(`ralph: the demo works in ${folder}\n`);
  else print(fitted(greeting(words)));
  const stopper = new Stopper();
  const quit = onSignals(stopper);
  const view = openView(call);
  try {
    const result = await run({
      cwd: folder,
      env,
      stopper,
      command: 'ralph demo',
      view: facts => (json ? view.sink(facts) : commented(view.sink(facts))),
    });
    view.close();
    const exit = showResult(call, result, { endSaid: view.saidEnd(), cwd: folder, withoutNext: true });
    if (!json && result.type === 'finished')
      print(fitted(farewell({ ...words, alias: alias(), isComplete: result.reason === 'complete' })));
    return exit;
  } finally {
    view.close();
    quit();
  }
};

function fitted(text: string): string {
  const columns = columnsOf();
  return columns === undefined ? text : wrapText(text, columns);
}

/** The alias to suggest; undefined if `ralph` on the PATH is already this program. */
function alias(): string | undefined {
  const program = process.argv[1] ?? '';
  const installed = findOnPath('ralph', process.env);
  if (installed && realpathSync(installed) === realpathSync(program)) return undefined;
  return `node ${shellWord(program)}`;
}
