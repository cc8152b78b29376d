/** Any program: it gets the message as JSON on standard input, and its parts in the environment. */
import { ok } from '../../util/result.ts';
import { bodyText } from '../message.ts';
import type { Target } from '../target.ts';
import { programOf, tellProgram } from './run-program.ts';

export const command: Target = given => {
  const argv = programOf(given.command, given);
  if (!argv.ok) return argv;
  return ok((message, signal) => {
    const env = {
      ...given.env,
      RALPH_NOTIFY_KIND: message.kind,
      RALPH_NOTIFY_TITLE: message.what,
      RALPH_NOTIFY_TEXT: bodyText(message),
      RALPH_NOTIFY_RUN: message.run,
      RALPH_NOTIFY_ITEM: message.item ?? '',
      RALPH_NOTIFY_FOLDER: message.folder,
    };
    return tellProgram({ argv: argv.value, env, input: `${JSON.stringify(message)}\n`, signal });
  });
};
