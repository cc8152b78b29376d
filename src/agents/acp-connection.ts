/** JSON-RPC 2.0 over lines: the little of it that a client of the Agent Client Protocol needs. Never throws. */
import { type Json, recordAt, recordsOf, textAt } from './json-lines.ts';

export type AcpAnswer = { readonly result: unknown } | { readonly error: Json };

export interface Ears {
  readonly write: (text: string) => void;
  readonly onUpdate: (update: Json) => void;
  /** The answer to a question of the agent's; undefined where there is none. */
  readonly onRequest: (request: Json) => Json | undefined;
  readonly onOther: (record: Json) => void;
  readonly onText: (line: string) => void;
}

export interface Connection {
  hear(text: string): void;
  ask(method: string, params: Json): Promise<AcpAnswer>;
  tell(method: string, params: Json): void;
}

/** A line longer than this is no record: an image, or a program that lost its way. */
const LONGEST = 16 * 1024 * 1024;
const NOT_FOUND = -32_601;

export function acpConnection(ears: Ears): Connection {
  const open = new Map<number, (answer: AcpAnswer) => void>();
  let held = '';
  let asked = 0;
  const send = (record: Json) => ears.write(`${JSON.stringify({ jsonrpc: '2.0', ...record })}\n`);

  function hear(record: Json): void {
    const method = textAt(record, 'method');
    const id = record.id;
    if (method === 'session/update') {
      ears.onUpdate(recordAt(recordAt(record, 'params'), 'update') ?? {});
    } else if (method !== '' && id !== undefined && id !== null) {
      const result = ears.onRequest(record);
      send(result ? { id, result } : { id, error: { code: NOT_FOUND, message: `${method} is not offered here` } });
    } else if (method !== '') {
      ears.onOther(record);
    } else {
      const waiting = open.get(Number(id));
      open.delete(Number(id));
      const error = recordAt(record, 'error');
      if (waiting) waiting(error ? { error } : { result: record.result });
      else ears.onOther(record);
    }
  }

  return {
    hear: text => {
      held += text;
      for (let end = held.indexOf('\n'); end >= 0; end = held.indexOf('\n')) {
        const line = held.slice(0, end);
        held = held.slice(end + 1);
        const records = recordsOf(line);
        for (const record of records) hear(record);
        if (records.length === 0 && line.trim() !== '') ears.onText(line);
      }
      if (held.length > LONGEST) held = '';
    },
    ask: (method, params) => {
      asked += 1;
      const id = asked;
      const answer = new Promise<AcpAnswer>(resolve => open.set(id, resolve));
      send({ id, method, params });
      return answer;
    },
    tell: (method, params) => send({ method, params }),
  };
}
