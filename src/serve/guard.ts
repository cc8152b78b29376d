/**
 * Decides whether a request is handled at all, before its URL is looked at. It has to name this server as its host (against
 * DNS rebinding), and has to come from this page or from no page.
 */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { hostname, networkInterfaces } from 'node:os';

export interface Gatekeeper {
  /** Why it is refused, and with which status; undefined if it may continue. */
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

/** Browsers send `Origin` with every POST and every script request from another site, and also `Sec-Fetch-Site`. */
function isOurs(
  { origin, host, 'sec-fetch-site': site, 'sec-fetch-mode': mode }: IncomingHttpHeaders,
  method: string,
): boolean {
  if (origin !== undefined && origin !== `http://${host}`) return false;
  if (method === 'POST') return origin !== undefined && (site === undefined || site === 'same-origin');
  // Links from other programs and pages may be followed; without a session they lead to nothing.
  return site === undefined || site === 'same-origin' || site === 'none' || mode === 'navigate';
}

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]'];

export const isLoopback = (host: string): boolean => host === '127.0.0.1' || host === 'localhost' || host === '::1';

/** Host names by which a server that listens on this address can be reached. */
export function hostsOf(address: string, port: number): readonly string[] {
  const names = isLoopback(address)
    ? LOOPBACK
    : address === '0.0.0.0' || address === '::'
      ? [...LOOPBACK, hostname(), ...Object.values(networkInterfaces()).flatMap(each => (each ?? []).map(inUrl))]
      : [...LOOPBACK, inUrl({ address }), hostname()];
  return names.map(name => `${name.toLowerCase()}:${port}`);
}

const inUrl = ({ address }: { readonly address: string }): string => (address.includes(':') ? `[${address}]` : address);
