/** What an agent can do and what it needs around it, as its adapter declares it. */

export interface Abilities {
  /** What it prints: events that can be read, or words for people. */
  readonly stream: 'events' | 'text';
  /** Whether it says what it cost, only how many tokens it took, or neither. */
  readonly cost: 'reported' | 'tokens' | 'unknown';
  /** Whether `model` can be handed to it. */
  readonly model: boolean;
  /** The words for `effort` that it takes, from little to much; none where it has no such setting. */
  readonly efforts: readonly string[];
  /** Whether it can be handed a server of tools (Model Context Protocol). */
  readonly mcp?: true;
  /** How to get it, as a line to paste; empty for what has no one place. */
  readonly install: string;
  readonly needs: Needs;
}

/** What it has to find to work at all, for whoever narrows its surroundings. */
export interface Needs {
  /** Files and folders of its own, below HOME: settings, logins, sessions. It writes there. */
  readonly state: readonly string[];
  /** Variables that carry its login or its endpoint. */
  readonly env: readonly string[];
  /** Where its models are, unless a variable says otherwise. */
  readonly hosts: readonly string[];
  /** Files below HOME that exist only once somebody has logged in. */
  readonly login: readonly string[];
}
