/** Where the network is a list of hosts: the proxy for one session, and how the agent's command is started beside it. */
import { builtFile } from '../util/built-file.ts';
import { entryOfUrl, loopbackPorts } from './hosts.ts';
import type { Argv } from './policy.ts';

export interface Gateway {
  readonly folder: string;
  /** The command with what has to run beside it inside. */
  wrap(argv: Argv): Argv;
  close(): void;
}

export interface GatewayRequest {
  /** As a person wrote it. */
  readonly hosts: readonly string[];
  /** What the agent says of itself: where its models are, and which variables say otherwise. */
  readonly needs?: { readonly hosts: readonly string[]; readonly env: readonly string[] } | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly onRefused: (host: string) => void;
}

export async function openGateway({ hosts, needs, env, onRefused }: GatewayRequest): Promise<Gateway> {
  const own = (needs?.env ?? []).flatMap(name => entryOfUrl(env[name] ?? ''));
  const all = [...hosts, ...(needs?.hosts ?? []), ...own];
  // Loaded only where it is used: most runs have no list, and need no server.
  const { openHostProxy } = await import('./host-proxy.ts');
  const proxy = await openHostProxy({ hosts: all, onRefused });
  const ports = [...new Set(loopbackPorts(all))].join(',');
  return {
    folder: proxy.folder,
    wrap: argv => [process.execPath, proxyInside(), proxy.socket, ports, ...argv],
    close: () => proxy.close(),
  };
}

/** The program that leads to the proxy, inside the sandbox. */
export const proxyInside = (): string => builtFile('cli/proxy-inside.cjs');
