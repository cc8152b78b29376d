/** One message to an address over HTTP, and what went wrong. */
import { networkError } from '../util/network-error.ts';
import { beginningOf, type JsonPost, postJson } from '../util/post-json.ts';
import { oneLine } from '../util/show.ts';
import type { Trouble } from './target.ts';

const SHOWN = 200;
const READ = 4_000;

export async function post(message: JsonPost): Promise<Trouble | undefined> {
  try {
    const answer = await postJson(message);
    const { statusCode: status = 0, headers } = answer;
    if (status < 200 || status >= 300)
      return troubleOf(status, await beginningOf(answer, READ), headers['retry-after']);
    // Accepted: the rest of the answer does not matter.
    answer.destroy();
    return undefined;
  } catch (error) {
    return message.signal.aborted ? tooSlow : { why: networkError(error as Error), again: true };
  }
}

const tooSlow: Trouble = { why: 'it did not answer in time', again: true };

function troubleOf(status: number, text: string, retryAfter: string | undefined): Trouble {
  const said = oneLine(text, SHOWN);
  const why = `it answered ${status}${said ? `: ${said}` : ''}`;
  if (status < 500 && ![408, 425, 429].includes(status)) return { why };
  const seconds = Number(retryAfter);
  return { why, again: true, ...(seconds > 0 ? { afterMs: seconds * 1000 } : {}) };
}
