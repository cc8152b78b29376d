/** One agent's process, from its command to its final message; the loop, reviews and planning all start it here. */
export { type AgentProcess, type AgentProcessEnd, runAgentProcess } from './run-agent-process.ts';
