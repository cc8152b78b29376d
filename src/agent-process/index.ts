/** One agent's process, from its command to its last word; the loop, reviews and planning all start it here. */
export { type AgentProcess, type AgentProcessEnd, runAgentProcess } from './run-agent-process.ts';
