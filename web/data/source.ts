/** Where the views come from: the server, or the report file that contains this page. */
import type { CommandAnswer, CommandBody, ErrorView, ReportBundle } from '../../src/view/index.ts';

export type Answer<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: Trouble };

export interface Trouble extends Omit<ErrorView, 'reason'> {
  readonly reason: string;
  /** The HTTP status; 0 if there was no response. */
  readonly status: number;
}

export interface Source {
  readonly kind: 'serve' | 'report';
  get(path: string): Promise<Answer<unknown>>;
  send(run: string, body: CommandBody, csrf: string): Promise<Answer<CommandAnswer>>;
}

const BASE = '/api/v1';
/** The timeout of a request. */
const PATIENCE_MS = 30_000;

export const server: Source = {
  kind: 'serve',
  get: path => ask(path, {}),
  send: async (run, body, csrf) =>
    (await ask(`/runs/${encodeURIComponent(run)}/commands`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-ralph-csrf': csrf },
      body: JSON.stringify(body),
    })) as Answer<CommandAnswer>,
};

async function ask(path: string, init: RequestInit): Promise<Answer<unknown>> {
  try {
    const response = await fetch(`${BASE}${path}`, { ...init, signal: AbortSignal.timeout(PATIENCE_MS) });
    const body: unknown = await response.json();
    if (response.ok) return { ok: true, value: body };
    return { ok: false, error: { ...errorOf(body, response.status), status: response.status } };
  } catch {
    return { ok: false, error: unreachable };
  }
}

const unreachable: Trouble = {
  reason: 'unreachable',
  message: 'ralph serve does not answer',
  hint: 'Start it again in the repository with: ralph serve',
  status: 0,
};

function errorOf(body: unknown, status: number): Omit<Trouble, 'status'> {
  const error = (body as { readonly error?: Partial<ErrorView> } | null)?.error;
  return {
    reason: error?.reason ?? 'unknown',
    message: error?.message ?? `the server answered ${status}`,
    hint:
      error?.hint ?? (status === 401 ? 'Open the address that ralph serve prints: it holds a code for one use.' : null),
  };
}

export const streamPath = (run: string, after: string | undefined): string =>
  `${BASE}/runs/${encodeURIComponent(run)}/stream${after === undefined ? '' : `?after=${encodeURIComponent(after)}`}`;

/** The same URLs, answered from a report. */
export function fileSource(bundle: ReportBundle): Source {
  const run = `/runs/${encodeURIComponent(bundle.run.id)}`;
  const views = new Map<string, unknown>([
    ['/meta', bundle.meta],
    ['/runs', { runs: [bundle.run], startCommand: '' }],
    [run, bundle.run],
    [`${run}/items`, bundle.items],
    [`${run}/timeline`, bundle.timeline],
    [`${run}/costs`, bundle.costs],
    ['/lessons', bundle.lessons],
    ...bundle.iterations.map(each => [`${run}/iterations/${each.n}`, each] as const),
  ]);
  const missing: Trouble = {
    reason: 'not-in-report',
    message: 'this is not in the file',
    hint: 'A report holds the newest iterations of one run. All of them: ralph serve, in the repository',
    status: 404,
  };
  return {
    kind: 'report',
    get: path => {
      const value = views.get(path.split('?', 1)[0] ?? '');
      return Promise.resolve(value === undefined ? { ok: false, error: missing } : { ok: true, value });
    },
    send: () => Promise.resolve({ ok: false, error: { ...missing, message: 'a report takes no commands' } }),
  };
}
