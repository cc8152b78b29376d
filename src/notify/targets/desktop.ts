/** A desktop notification: `notify-send` on Linux, `osascript` on a Mac. */
import { ok } from '../../util/result.ts';
import { bodyText, type Message, PRIORITIES } from '../message.ts';
import type { Target } from '../target.ts';
import { programOf, tellProgram } from './run-program.ts';

/** The texts are arguments, never part of the script. */
const SCRIPT = ['on run argv', 'display notification (item 2 of argv) with title (item 1 of argv)', 'end run'];

type Args = (message: Message) => readonly string[];

const PROGRAMS: Readonly<Partial<Record<NodeJS.Platform, { readonly name: string; readonly args: Args }>>> = {
  darwin: {
    name: 'osascript',
    args: message => [...SCRIPT.flatMap(line => ['-e', line]), message.what, bodyText(message)],
  },
};

const notifySend = {
  name: 'notify-send',
  args: (message: Message) => [
    '--app-name=ralph',
    `--urgency=${PRIORITIES[message.kind] > 3 ? 'critical' : 'normal'}`,
    '--',
    message.what,
    markup(bodyText(message)),
  ],
};

/** Desktops interpret the body as markup. */
const markup = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

export const desktop: Target = given => {
  const { name, args } = PROGRAMS[process.platform] ?? notifySend;
  const found = programOf([name], given);
  if (!found.ok) return found;
  const [program] = found.value;
  return ok((message, signal) => tellProgram({ argv: [program, ...args(message)], env: given.env, input: '', signal }));
};
