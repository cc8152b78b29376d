/** Who sent a request to a run, and from where. */

export const actorPlaces = [
  /** A ralph command in a terminal, or one without a terminal: a script, a timer. */
  'terminal',
  'command',
  /** The page that `ralph serve` shows. */
  'page',
  /** The hook of an agent's session, or a client of the MCP server. */
  'hook',
  'mcp',
  /** An edit of the plan file. */
  'plan',
  /** The prompt that an attended run shows after each verdict. */
  'question',
  'other',
] as const;

/** The sender's own statement, kept for later readers; whether the request is accepted is decided elsewhere. */
export interface Actor {
  readonly via: (typeof actorPlaces)[number];
  /** The login name. */
  readonly user?: string;
  readonly pid?: number;
}
