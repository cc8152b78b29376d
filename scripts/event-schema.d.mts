/** The JSON Schema of one line of `ralph run --json`, made from its type. */
export function eventSchema(): object;
