/** A list of hosts that may be reached: `api.example.org`, `*.example.org` for all below it, `localhost:11434` for one port. */

export interface Target {
  readonly host: string;
  readonly port: number;
}

/** Ports of the web, where an entry names none. */
const WEB = new Set([80, 443]);
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]', '::1']);

export function allowsHost(entries: readonly string[], { host, port }: Target): boolean {
  const name = host.toLowerCase().replace(/\.$/, '');
  return entries.some(entry => {
    const { host: pattern, port: only } = parts(entry);
    if (only === undefined ? !WEB.has(port) : only !== port) return false;
    return pattern.startsWith('*.') ? name.endsWith(pattern.slice(1)) : name === pattern;
  });
}

/** Services of this machine on the list: inside, they are listened for under the same port. */
export const loopbackPorts = (entries: readonly string[]): readonly number[] =>
  entries.flatMap(entry => {
    const { host, port } = parts(entry);
    return LOOPBACK.has(host) && port !== undefined ? [port] : [];
  });

/** The entry for the address of a model that a variable names; none for what is no address. */
export function entryOfUrl(text: string): readonly string[] {
  if (!URL.canParse(text)) return [];
  const { protocol, hostname, port } = new URL(text);
  if (protocol !== 'http:' && protocol !== 'https:') return [];
  return [port === '' ? hostname : `${hostname}:${port}`];
}

function parts(entry: string): { readonly host: string; readonly port: number | undefined } {
  const [, host = entry, port] = /^(.*?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? [];
  return { host, port: port === undefined ? undefined : Number(port) };
}
