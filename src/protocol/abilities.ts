/** What an agent supports and requires, as its adapter declares it. */

export interface Abilities {
  /** What the agent prints: structured events, or text for people. */
  readonly stream: 'events' | 'text';
  /** Whether the agent reports its cost, only its tokens, or neither. */
  readonly cost: 'reported' | 'tokens' | 'unknown';
  /** Whether the agent accepts a `model`. */
  readonly model: boolean;
  /** The values of `effort` that the agent accepts, from low to high; empty if it has no such setting. */
  readonly efforts: readonly string[];
  /** Whether the agent accepts an MCP server (Model Context Protocol). */
  readonly mcp?: true;
  /** The install command, ready to paste; empty if there is no single one. */
  readonly install: string;
  readonly needs: Needs;
}

/** What the agent needs to work at all; the sandbox has to leave these accessible. */
export interface Needs {
  /** The agent's own files and folders below HOME: settings, logins, sessions. It writes to them. */
  readonly state: readonly string[];
  /** Environment variables that hold its login or its endpoint. */
  readonly env: readonly string[];
  /** Hosts of its models, unless an environment variable names another. */
  readonly hosts: readonly string[];
  /** Files below HOME that exist only once somebody has logged in. */
  readonly login: readonly string[];
}
