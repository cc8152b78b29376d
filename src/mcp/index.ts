/** What an agent can look up and say by tools, and what the runner reads of it. */
export { mcpCommand } from './command.ts';
export { type McpContext, readContext } from './context.ts';
export { nothingSaid, readSaid, type Said } from './said.ts';
export { serveMcp } from './serve.ts';
