/** An agent's side of the Model Context Protocol, with the official client: `mcp-call.mjs <tool> <arguments as JSON> ...`. */
import { readFileSync } from 'node:fs';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const { mcpServers } = JSON.parse(readFileSync(process.env.RALPH_MCP_CONFIG, 'utf8'));
const client = new Client({ name: 'test', version: '1' });
await client.connect(new StdioClientTransport(mcpServers.ralph));
const words = process.argv.slice(2);
for (let at = 0; at < words.length; at += 2) {
  const { content, isError } = await client.callTool({ name: words[at], arguments: JSON.parse(words[at + 1]) });
  console.log(content[0].text);
  if (isError) process.exitCode = 1;
}
await client.close();
