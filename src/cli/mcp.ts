/** `ralph mcp`: the server that an agent's session talks to. Standard output carries only the protocol. */
import { readContext, serveMcp } from '../mcp/index.ts';
import { type Handler, textFlag } from './command.ts';
import { complain } from './print.ts';

declare const __VERSION__: string;

export const mcp: Handler = async call => {
  const file = textFlag(call, 'context');
  const inbox = textFlag(call, 'inbox');
  const context = file === undefined ? undefined : readContext(file);
  if (file !== undefined && !context) {
    const message = `${file} is not what ralph run writes for a session`;
    const hint = 'Agents get this server automatically with mcp: true in the config';
    return complain({ reason: 'usage', message, hint }, 2);
  }
  const desk = { version: __VERSION__, ...(context ? { context } : {}), ...(inbox === undefined ? {} : { inbox }) };
  await serveMcp(desk, { input: process.stdin, output: process.stdout });
  return 0;
};
