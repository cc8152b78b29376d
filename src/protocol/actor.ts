/** Who asked a run for something, and from where. */

export const actorPlaces = [
  /** A command of ralph with a terminal, or one without: a script, a timer. */
  'terminal',
  'command',
  /** The page that `ralph serve` shows. */
  'page',
  /** A session of an agent with its hook, or a client of the MCP server. */
  'hook',
  'mcp',
  /** An edit of the plan file. */
  'plan',
  /** The question that an attended run asks after each verdict. */
  'question',
  'other',
] as const;

/** As the sender says it, for later readers; whether it is obeyed is decided elsewhere. */
export interface Actor {
  readonly via: (typeof actorPlaces)[number];
  /** The login name. */
  readonly user?: string;
  readonly pid?: number;
}
