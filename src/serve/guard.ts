/**
 * Whether a request may be heard at all, before anybody looks at what it wants: it has to name this server (a page of
 * another site that was given this address by its own name server does not), and to come from this page or from no page.
 */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { hostname, networkInterfaces } from 'node:os';

export interface Gatekeeper {
  /** Why it is turned away, and with which status; undefined where it may continue. */
  refuse(request: IncomingMessage): { readonly status: number; readonly message: string } | undefined;
}

const METHODS = new Set(['GET', 'HEAD', 'POST']);
const LONGEST_URL = 4_096;

export function gatekeeper(hosts: readonly string[]): Gatekeeper {
  const allowed = new Set(hosts);
  return {
    refuse: ({ method = '', url = '', headers }) => {
      const refused = (status: number, message: string) => ({ status, message });
      if (!METHODS.has(method)) return refused(405, 'only GET, HEAD and POST are understood');
      if (!url.startsWith('/') || url.length > LONGEST_URL) return refused(400, 'this address cannot be understood');
      const { host } = headers;
      if (host === undefined || !allowed.has(host.toLowerCase())) {
        return refused(421, 'this server goes by another name; open the address that its terminal shows');
      }
      if (!isOurs(headers, method)) return refused(403, 'this came from another page');
      return undefined;
    },
  };
}

/** `Origin` is there with every POST and every request of another site's script; a browser says `Sec-Fetch-Site` besides. */
function isOurs(
  { origin, host, 'sec-fetch-site': site, 'sec-fetch-mode': mode }: IncomingHttpHeaders,
  method: string,
): boolean {
  if (origin !== undefined && origin !== `http://${host}`) return false;
  if (method === 'POST') return origin !== undefined && (site === undefined || site === 'same-origin');
  // A link in another program or page may be followed; what it leads to is nothing without the session.
  return site === undefined || site === 'same-origin' || site === 'none' || mode === 'navigate';
}

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]'];

export const isLoopback = (host: string): boolean => host === '127.0.0.1' || host === 'localhost' || host === '::1';

/** Names under which a server that listens on this address can be asked for. */
export function hostsOf(address: string, port: number): readonly string[] {
  const names = isLoopback(address)
    ? LOOPBACK
    : address === '0.0.0.0' || address === '::'
      ? [...LOOPBACK, hostname(), ...Object.values(networkInterfaces()).flatMap(each => (each ?? []).map(inUrl))]
      : [...LOOPBACK, inUrl({ address }), hostname()];
  return names.map(name => `${name.toLowerCase()}:${port}`);
}

const inUrl = ({ address }: { readonly address: string }): string => (address.includes(':') ? `[${address}]` : address);
